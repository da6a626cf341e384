import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

// The built program has all JavaScript in one folder.
const built = !import.meta.url.endsWith('.ts');
const require = createRequire(import.meta.url);

export const ENTRY = fileURLToPath(new URL(built ? './engine.js' : './engine.ts', import.meta.url));

/** Snapshot of a clone's build. An installed program has none, because it is too large. */
export const BUILT_SNAPSHOT = fileURLToPath(
	new URL(built ? './pyodide.snapshot' : '../../../dist/pyodide.snapshot', import.meta.url),
);

/** Module that creates a snapshot. The plain build lacks it. */
export const SNAPSHOT_MODULE = new URL(built ? './snapshot.js' : './snapshot.ts', import.meta.url);

/** Folders that the engine process reads at the start; in a clone also shared modules. */
export const PROGRAM_FOLDERS = [
	dirname(ENTRY),
	dirname(require.resolve('pyodide/package.json')),
	...(built
		? []
		: ['contract', 'text'].map(name => fileURLToPath(new URL(`../../${name}`, import.meta.url)))),
];

/** Pyodide's list of the packages of its distribution, with their hashes. */
export const LOCK_FILE = join(dirname(require.resolve('pyodide/package.json')), 'pyodide-lock.json');

/** A snapshot fits only one version. */
export const pyodideVersion = (): string => (require('pyodide/package.json') as {version: string}).version;
