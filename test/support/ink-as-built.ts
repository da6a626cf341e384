// Preloaded into the tests' workers, which then draw with the patched Ink of the build in a third
// of the time. `test/build` compares it with the unpatched Ink.
import {registerHooks} from 'node:module';
import {join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import type {PluginBuild} from 'esbuild';
import {inkPatches} from '../../src/build/ink-patches.ts';

type Resolve = Parameters<PluginBuild['onResolve']>;
type Load = Parameters<PluginBuild['onLoad']>;

const resolves: Resolve[] = [];
const loads: Load[] = [];
for (const {name, setup} of inkPatches(join(import.meta.dirname, '../..')))
	if (name !== 'builtins-by-name')
		void setup({
			onResolve: (...row: Resolve) => resolves.push(row),
			onLoad: (...row: Load) => loads.push(row),
		} as unknown as PluginBuild);

registerHooks({
	resolve(specifier, context, next) {
		for (const [{filter}, resolve] of resolves)
			if (filter.test(specifier)) {
				const {path, namespace = ''} = resolve({path: specifier} as never) as {
					path: string;
					namespace?: string;
				};
				return {url: `${pathToFileURL(path).href}#${namespace}`, shortCircuit: true};
			}
		return next(specifier, context);
	},
	load(url, context, next) {
		if (!url.startsWith('file:')) return next(url, context);
		const path = fileURLToPath(url);
		const namespace = new URL(url).hash.slice(1);
		const found = loads.find(([{filter, namespace: of = ''}]) => of === namespace && filter.test(path));
		if (!found) return next(url, context);
		const {contents} = found[1]({path} as never) as {contents: string};
		return {format: 'module', source: contents, shortCircuit: true};
	},
});
