import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

// True in the built program, whose JavaScript files are all in one folder.
const built = !import.meta.url.endsWith('.ts');
const require = createRequire(import.meta.url);

export const ENTRY = fileURLToPath(new URL(built ? './engine.js' : './engine.ts', import.meta.url));

/**
 * Snapshot created by the build of a source checkout. An installed program contains none, because a
 * snapshot is too large.
 */
export const BUILT_SNAPSHOT = fileURLToPath(
	new URL(built ? './pyodide.snapshot' : '../../../dist/pyodide.snapshot', import.meta.url),
);

/** Module that creates a snapshot. Not part of the plain build. */
export const SNAPSHOT_MODULE = new URL(built ? './snapshot.js' : './snapshot.ts', import.meta.url);

/**
 * Folders that the engine process may read at the start. In a source checkout they include shared
 * modules.
 */
export const PROGRAM_FOLDERS = [
	dirname(ENTRY),
	dirname(require.resolve('pyodide/package.json')),
	...(built
		? []
		: ['contract', 'text'].map(name => fileURLToPath(new URL(`../../${name}`, import.meta.url)))),
];

/** Pyodide's lock file: the packages of its distribution with their hashes. */
export const LOCK_FILE = join(dirname(require.resolve('pyodide/package.json')), 'pyodide-lock.json');

/** Version of Pyodide. A snapshot works only with the version that created it. */
export const pyodideVersion = (): string => (require('pyodide/package.json') as {version: string}).version;
