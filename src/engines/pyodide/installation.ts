import {createRequire} from 'node:module';
import {dirname} from 'node:path';
import {fileURLToPath} from 'node:url';

// In the built program everything lies flat in one folder, as JavaScript.
const built = !import.meta.url.endsWith('.ts');

/** Entry of the engine process. */
export const ENTRY = fileURLToPath(new URL(built ? './engine.js' : './engine.ts', import.meta.url));

/** Where the build puts the snapshot. */
export const BUILT_SNAPSHOT = fileURLToPath(new URL(built ? './pyodide.snapshot' : '../../../dist/pyodide.snapshot', import.meta.url));

/** Folders that the engine process must read to start. */
export const PROGRAM_FOLDERS = [dirname(ENTRY), dirname(createRequire(import.meta.url).resolve('pyodide/package.json'))];
