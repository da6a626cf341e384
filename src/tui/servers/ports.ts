import {port} from '../core/ports.ts';

/** Asks again for the files of a server that are on screen. */
export const refreshFiles = port<[server: string]>('refreshFiles');
