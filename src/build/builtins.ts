// Node's own modules in the bundles: imported name by name, loaded on first use if a start rarely
// needs them, and never in a chunk of their own.
import {builtinModules} from 'node:module';
import {promisify} from 'node:util';
import type {Plugin} from 'esbuild';

/** Modules that take a millisecond or more to load, and that most starts never use. */
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
 * Source of a module that replaces one of Node's. Functions of a late module load it when called;
 * its classes and constants load it on import. Unused exports leave no trace in the bundle.
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
		// A reserved word cannot be declared, but it can be the name of an export.
		...names.map((key, index) => `const name${index} = ${one(key)};\nexport {name${index} as ${key}};`),
		isLate
			? `export default /* @__PURE__ */ new Proxy({}, {get: (_, key) => ${load}[key]});`
			: `export default /* @__PURE__ */ (() => ${load})();`,
	].join('\n');
};

/**
 * An `import` of a Node module creates a facade that reads every export, even lazy ones: streams
 * of `node:fs`, all of undici for `node:http`. Each importer gets a copy of its own: a shared copy
 * would be one more file to open at the start.
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
