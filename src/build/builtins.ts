// Node's built-in modules in the bundles. They are imported name by name, and never in their own
// chunk. Modules that a start rarely needs are loaded on first use.
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
 * Source of a module that replaces a built-in one. For a late module, functions load it when they
 * are called; classes and constants load it on import. The bundler removes unused exports.
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
		// A reserved word cannot be declared, but an export can have it as its name.
		...names.map((key, index) => `const name${index} = ${one(key)};\nexport {name${index} as ${key}};`),
		isLate
			? `export default /* @__PURE__ */ new Proxy({}, {get: (_, key) => ${load}[key]});`
			: `export default /* @__PURE__ */ (() => ${load})();`,
	].join('\n');
};

/**
 * Replaces imports of built-in modules. An `import` of such a module would create a facade that
 * reads every export, even lazy ones: streams of `node:fs`, all of undici for `node:http`. Each
 * importer gets its own copy, because a shared copy would be one more file to open at the start.
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
