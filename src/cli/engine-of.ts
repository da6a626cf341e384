import {hostOf} from '../query/own-hosts.ts';
import type {ServerItem} from '../contract/servers.ts';
import {readStartupSettings} from '../settings/startup-settings.ts';
import {isLoopback} from '../machine/loopback.ts';
import {CommandError} from './command-error.ts';
import type {Context, RunningService, Service} from './context.ts';

/** True if both addresses lead to the same port of this machine, also under different names. */
const isSameHere = (one: string, other: string): boolean => {
	const [a, b] = [URL.parse(one), URL.parse(other)];
	if (a === null || b === null || a.protocol !== b.protocol || a.port !== b.port) return false;
	return a.hostname === b.hostname || (isLoopback(a.hostname) && isLoopback(b.hostname));
};

/** Local service if the command uses it, by default or by its address. Null for any other. */
export const serviceHere = async (
	{options, env, running}: Context,
	{isLocal}: Service,
): Promise<RunningService | null> => {
	const address = isLocal ? null : readStartupSettings(options, env).service;
	if (address !== null && !isLoopback(URL.parse(address)?.hostname ?? '')) return null;
	const found = await running();
	return found !== null && (address === null || isSameHere(address, found.url)) ? found : null;
};

/** True if the service's address is on another machine. */
export const isElsewhere = ({options, env}: Context, {isLocal}: Service): boolean =>
	!isLocal && !isLoopback(URL.parse(readStartupSettings(options, env).service)?.hostname ?? '');

/**
 * Engine that runs the code of a server. `pyodide` is the embedded engine. Null if unknown, which
 * includes attached servers, and servers on hosts, whose code runs in the Jupyter of the host.
 */
export const engineOf = async (
	context: Context,
	service: Service,
	server: ServerItem,
): Promise<string | null> =>
	server['attached'] === true || hostOf(server) !== null
		? null
		: ((await serviceHere(context, service))?.engine ?? null);

/** `what`: ending of the sentence "Code on NAME cannot …". */
export const embeddedCannot = (name: string, what: string): CommandError =>
	new CommandError(
		'unsupported',
		`Code on ${JSON.stringify(name)} cannot ${what}.`,
		'With Jupyter Server installed on this machine, the local service runs code that can do this. svc-tui info shows the current engine.',
	);
