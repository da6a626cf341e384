import {join} from 'node:path';

/** The folder of package.json; the built files are one level below it, the sources two. */
export const ROOT = join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? '../..' : '..');
