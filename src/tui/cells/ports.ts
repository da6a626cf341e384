import {port} from '../core/ports.ts';

/** Notifies the files of a server that code has run and may have changed them. */
export const codeHasRun = port<[server: string]>('codeHasRun');
