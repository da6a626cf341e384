import {port} from '../core/ports.ts';

/** Reloads the visible files of a server. */
export const refreshFiles = port<[server: string]>('refreshFiles');
/** True if `:shutdown` can shut a server down, as far as that is known. */
export const canShutDown = port<[server: string], boolean>('canShutDown');
