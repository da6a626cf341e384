import {port} from '../core/ports.ts';

/** Names of the servers that use an environment, by its id. */
export const serversByEnvironment = port<[], ReadonlyMap<string, readonly string[]>>('serversByEnvironment');
