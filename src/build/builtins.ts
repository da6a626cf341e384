// How the bundles import Node's own modules: name by name, what a start rarely needs at its first use, and in no chunk of their own.
import {builtinModules} from 'node:module';
import {promisify} from 'node:util';
import type {Plugin} from 'esbuild';

/** Modules that take a millisecond or more to load, or bring one that does, and that most starts end without. */
const LATE: ReadonlySet<string> = new Set([
	'child_process',
	'crypto',
	'dns',
	'dns/promises',
	'fs/promises',
	'http',
	'http2',
	'https',
	'readline',
	'timers/promises',
	'tls',
	'v8',
	'vm',
	'worker_threads',
	'zlib',
]);

const isPlainFunction = (name: string, value: unknown): boolean =>
	typeof value === 'function' && /^[a-z]/.test(name) && !(promisify.custom in value);

/**
 * The text of a module that stands for one of Node's. Functions of a late one load it when they are called; its classes and constants are
 * taken where they are imported. What is not imported leaves no trace in the bundle.
 */
export const builtinText = (name: string): string => {
	const module = process.getBuiltinModule(name) as unknown as Readonly<Record<string, unknown>>;
	const load = `process.getBuiltinModule(${JSON.stringify(name)})`;
	const isLate = LATE.has(name);
	const one = (key: string): string =>
		isLate && isPlainFunction(key, module[key])
			? `(...args) => ${load}.${key}(...args)`
			: `/* @__PURE__ */ (() => ${load}.${key})()`;
	const names = Object.keys(module).filter(key => /^[A-Za-z_]\w*$/.test(key) && key !== 'default');
	return [
		// A key that is a word of the language cannot be declared, but exported under its name.
		...names.map((key, index) => `const name${index} = ${one(key)};\nexport {name${index} as ${key}};`),
		isLate
			? `export default /* @__PURE__ */ new Proxy({}, {get: (_, key) => ${load}[key]});`
			: `export default /* @__PURE__ */ (() => ${load})();`,
	].join('\n');
};

/**
 * An `import` of a Node module makes a facade that reads every export, and those that Node loads lazily with it: `node:fs` its streams,
 * `node:http` all of undici. Each importer gets a text of its own: shared, it would be one file more to open at the start.
 */
export const builtinsByName: Plugin = {
	name: 'builtins-by-name',
	setup({onResolve, onLoad}) {
		const names = new Set(builtinModules);
		onResolve({filter: /^[a-z0-9_:/]+$/}, ({path, kind, importer}) => {
			const name = path.replace(/^node:/, '');
			if (kind !== 'import-statement' || !(names.has(name) || names.has(path))) return undefined;
			return {
				path: names.has(name) ? name : path,
				suffix: `?${importer}`,
				namespace: 'builtin',
				sideEffects: false,
			};
		});
		onLoad({filter: /.*/, namespace: 'builtin'}, ({path}) => ({contents: builtinText(path)}));
	},
};
