import {join} from 'node:path';

/** Folder of package.json: one level above built files, two levels above sources. */
export const ROOT = join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? '../..' : '..');
