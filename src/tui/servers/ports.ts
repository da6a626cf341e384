import {port} from '../core/ports.ts';

/** Asks again for the files of a server that are on screen. */
export const refreshFiles = port<[server: string]>('refreshFiles');
/** True if `:shutdown` can end a server, as far as that is known. */
export const canShutDown = port<[server: string], boolean>('canShutDown');
