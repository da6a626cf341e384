import type {ServerItem} from '../contract/servers.ts';
import {CommandError} from './command-error.ts';
import type {Context, Service} from './context.ts';

/** What runs the code of a server: `pyodide` is embedded. Null where this machine does not know, as of an attached server, which may run anywhere. */
export const engineOf = async (
	context: Context,
	service: Service,
	server: ServerItem,
): Promise<string | null> =>
	service.isLocal && server['attached'] !== true ? ((await context.running())?.engine ?? null) : null;

/** `what` ends "Code on NAME cannot". */
export const embeddedCannot = (name: string, what: string): CommandError =>
	new CommandError(
		'unsupported',
		`Code on ${JSON.stringify(name)} cannot ${what}.`,
		'Where Jupyter Server is installed on this machine, the local service runs code in it, and it can: svc-tui info says what is used.',
	);
