import {port} from '../core/ports.ts';

/** Tells the files of a server that code has run there, which may have changed them. */
export const codeHasRun = port<[server: string]>('codeHasRun');
