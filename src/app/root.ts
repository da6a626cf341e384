import {join} from 'node:path';

/** Folder of package.json. Built files are one level below it, sources two. */
export const ROOT = join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? '../..' : '..');
