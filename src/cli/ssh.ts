import type {HostItem} from '../contract/hosts.ts';
import {label} from '../text/safe.ts';
import {valueOf} from './command-error.ts';
import type {Context} from './context.ts';
import {connectLocal, refused} from './local-service.ts';
import {printJson, printNotice, printResult} from './print.ts';
import {NONE, tableText, type Column} from './table.ts';
import {gpusOf} from '../query/host-rows.ts';
import {numberText} from '../text/known.ts';

const MAY_BE = 'a host is an alias of ~/.ssh/config or a host name';

const gpuText = (item: HostItem): string => gpusOf(item) || NONE;

const COLUMNS: readonly Column<HostItem>[] = [
	{head: 'HOST', value: ({host}) => label(host, 60)},
	{head: 'STATE', value: ({state}) => state},
	{head: 'CPUS', value: ({facts}) => numberText(facts?.cpus ?? Number.NaN), right: true},
	{head: 'MEMORY', value: ({facts}) => (facts?.memory == null ? '?' : `${facts.memory}G`), right: true},
	{head: 'GPUS', value: gpuText},
	{head: 'PYTHONS', value: ({environments}) => String(environments.length), right: true, drop: 1},
];

/** Runs `ssh add`: connects to a host, and shows its resources. */
export const addHost = async (context: Context, host: string): Promise<void> => {
	const {client} = await connectLocal(context);
	const reply = await client.addHost(host, {signal: context.signal});
	if (!reply.ok) throw refused(reply.failure);
	await printHost(context, reply.value);
};

/** Prints the resources of a host and the command that starts a server there. */
export const printHost = async (context: Context, item: HostItem): Promise<void> => {
	const {host, facts, compute, environments, reason} = item;
	const what = facts
		? `${facts.cpus} CPUs, ${facts.memory ?? '?'}G memory${facts.gpus.length === 0 ? '' : `, ${gpuText(item)}`}`
		: 'nothing known';
	const [option] = compute;
	const [environment] = environments;
	const next =
		option !== undefined && environment !== undefined
			? ` ${context.typed('server', 'create', 'NAME', '--environment', environment, '--compute', option, '--wait')} starts a server there.`
			: '';
	await printResult(context, item, `${label(host, 60)} was added: ${what}.${next}\n`);
	if (reason != null) await printNotice(context, label(reason, 600));
};

/** Runs `ssh list`: hosts with their state, and aliases that could be added. */
export const listHosts = async (context: Context, host?: string): Promise<void> => {
	if (host !== undefined) return (await import('./ssh-adopt.ts')).listOnHost(context, host);
	const {client} = await connectLocal(context);
	const {hosts, aliases} = valueOf(await client.hosts({signal: context.signal}));
	if (context.json) return printJson(context, hosts);
	if (hosts.length > 0) await context.stdout.write(tableText(COLUMNS, hosts, context.stdout.columns));
	for (const {host, reason} of hosts)
		if (reason != null) await printNotice(context, `${label(host, 60)}: ${label(reason, 600)}`);
	if (hosts.length > 0) return;
	const names = aliases
		.slice(0, 20)
		.map(alias => label(alias, 60))
		.join(', ');
	await printNotice(
		context,
		`No hosts yet. ${context.typed('ssh', 'add', 'HOST')} adds one; ${MAY_BE}${names === '' ? '' : `, here ${names}`}.`,
	);
};

/** Runs `ssh remove`. */
export const removeHost = async (context: Context, host: string): Promise<void> => {
	const {client} = await connectLocal(context);
	const reply = await client.removeHost(host, {signal: context.signal});
	if (!reply.ok) throw refused(reply.failure);
	await printResult(
		context,
		{host, removed: true},
		`${label(host, 60)} was removed. Nothing on it was changed.\n`,
	);
};
