import {port} from '../core/ports.ts';
import type {Role} from '../core/theme/theme.ts';

/** A server that uses an environment, and the mark of its state. */
export type EnvironmentUser = {readonly name: string; readonly mark: string; readonly role: Role | null};

/** Servers that use an environment, by its id. */
export const serversByEnvironment = port<[], ReadonlyMap<string, readonly EnvironmentUser[]>>(
	'serversByEnvironment',
);
