import type {LeftItem} from '../contract/hosts.ts';
import {clockTime} from '../text/clock.ts';
import {label} from '../text/safe.ts';
import type {Context} from './context.ts';
import {printJson, printNotice, printResult} from './print.ts';
import {connectLocal, refused} from './local-service.ts';
import {NONE, tableText, type Column} from './table.ts';

const shown = (text: string | null | undefined): string =>
	text == null || text === '' ? NONE : label(text, 60);

const sinceText = ({since}: LeftItem): string => {
	const at = Date.parse(since ?? '');
	return Number.isNaN(at) ? '?' : clockTime(at);
};

const COLUMNS: readonly Column<LeftItem>[] = [
	{head: 'ID', value: ({id}) => label(id, 40)},
	{head: 'NAME', value: ({name}) => shown(name)},
	{head: 'STATE', value: ({state}) => state},
	{head: 'SINCE', value: sinceText},
	{head: 'JOB', value: ({job}) => shown(job), drop: 3},
	{head: 'ROOT', value: ({root}) => shown(root), drop: 2},
	{head: 'FROM', value: ({from}) => shown(from), drop: 1},
	{head: 'HERE', value: ({here}) => shown(here)},
];

/**
 * Runs `ssh list HOST`: lists the user's servers on a host. Any of the user's machines may have
 * started them.
 */
export const listOnHost = async (context: Context, host: string): Promise<void> => {
	const {client} = await connectLocal(context);
	const reply = await client.serversOnHost(host, {signal: context.signal});
	if (!reply.ok) throw refused(reply.failure);
	const servers = reply.value;
	if (context.json) return printJson(context, servers);
	if (servers.length === 0) return printNotice(context, `You have no servers on ${label(host, 60)}.`);
	await context.stdout.write(tableText(COLUMNS, servers, context.stdout.columns));
	const left = servers.find(({here, state}) => here == null && state !== 'offline');
	if (left)
		await printNotice(
			context,
			`${context.typed('ssh', 'adopt', host, left.id)} adds one that another machine started to your servers.`,
		);
};

/** Runs `ssh adopt`: adds a server that another machine started to the list of this machine. */
export const adopt = async (
	context: Context,
	host: string,
	server: string,
	{name}: {readonly name?: string},
): Promise<void> => {
	const {client} = await connectLocal(context);
	const request = {host, server, ...(name !== undefined && {server_name: name})};
	const reply = await client.adoptOnHost(request, {signal: context.signal});
	if (!reply.ok) throw refused(reply.failure);
	const here = reply.value.here ?? server;
	await printResult(
		context,
		reply.value,
		`${label(here, 60)} on ${label(host, 60)} is now one of your servers. Its kernels keep running: ${context.typed('run', here, '-c', 'CODE')} runs code there.\n`,
	);
};
