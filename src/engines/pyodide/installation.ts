import {createRequire} from 'node:module';
import {dirname} from 'node:path';
import {fileURLToPath} from 'node:url';

// In the built program everything lies flat in one folder, as JavaScript.
const built = !import.meta.url.endsWith('.ts');
const require = createRequire(import.meta.url);

/** Entry of the engine process. */
export const ENTRY = fileURLToPath(new URL(built ? './engine.js' : './engine.ts', import.meta.url));

/** Where the build of a clone puts the snapshot; an installation has none, since it is larger than all the rest. */
export const BUILT_SNAPSHOT = fileURLToPath(
	new URL(built ? './pyodide.snapshot' : '../../../dist/pyodide.snapshot', import.meta.url),
);

/** Module that makes a snapshot. The plain build has none. */
export const SNAPSHOT_MODULE = new URL(built ? './snapshot.js' : './snapshot.ts', import.meta.url);

/** Folders that the engine process must read to start. In a clone the rule of paths is a module outside its own folder. */
export const PROGRAM_FOLDERS = [
	dirname(ENTRY),
	dirname(require.resolve('pyodide/package.json')),
	...(built
		? []
		: ['contract', 'text'].map(name => fileURLToPath(new URL(`../../${name}`, import.meta.url)))),
];

/** A snapshot fits one version only. */
export const pyodideVersion = (): string => (require('pyodide/package.json') as {version: string}).version;
