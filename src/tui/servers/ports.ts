import {port} from '../core/ports.ts';

/** Reloads the visible files of a server. */
export const refreshFiles = port<[server: string]>('refreshFiles');
/** Asks the user whether to shut a server down. Returns a sentence if that is not possible. */
export const askShutDown = port<[server: string], string | void>('askShutDown');
/** True if `:shutdown` can shut a server down, as far as that is known. */
export const canShutDown = port<[server: string], boolean>('canShutDown');
