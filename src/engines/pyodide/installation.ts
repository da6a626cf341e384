import {createRequire} from 'node:module';
import {dirname} from 'node:path';
import {fileURLToPath} from 'node:url';

// In the built program everything lies flat in one folder, as JavaScript.
const built = !import.meta.url.endsWith('.ts');

/** Entry of the engine process. */
export const ENTRY = fileURLToPath(new URL(built ? './engine.js' : './engine.ts', import.meta.url));

/** Where the build puts the snapshot; from source there is none unless an option names it. */
export const BUILT_SNAPSHOT = built ? fileURLToPath(new URL('./pyodide.snapshot', import.meta.url)) : null;

/** Folders that the engine process must read to start. */
export const PROGRAM_FOLDERS = [dirname(ENTRY), dirname(createRequire(import.meta.url).resolve('pyodide/package.json'))];
