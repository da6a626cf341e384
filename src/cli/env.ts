import type {EnvironmentContents} from '../contract/environment-setup.ts';
import {label} from '../text/safe.ts';
import {megabytes} from '../text/size.ts';
import {usageError, valueOf} from './command-error.ts';
import type {Context, Service} from './context.ts';
import {printJson, printResult} from './print.ts';
import {refused} from './local-service.ts';
import {NONE, tableText, type Column} from './table.ts';

const STATES: Readonly<Record<EnvironmentContents['state'], string>> = {
	ready: 'ready',
	download: 'downloads',
	build: 'is built',
};

const COLUMNS: readonly Column<EnvironmentContents>[] = [
	{head: 'ENVIRONMENT', value: row => label(row.environment_id)},
	{head: 'AT START', value: row => STATES[row.state]},
	{head: 'PYTHON', value: row => label(row.python ?? '?')},
	{head: 'PACKAGES', value: row => String(row.packages.length), right: true},
	{head: 'SIZE', value: row => (row.size == null ? '?' : megabytes(row.size)), right: true},
	{head: 'FROM', value: row => label(row.source, 200), drop: 1},
];

/** Sentence about a download. Null if there is none. */
export const downloadText = ({environment_id: id, download}: EnvironmentContents): string | null => {
	if (!download) return null;
	const {files, bytes, from, allowed} = download;
	const what = `${files === 1 ? 'one file' : `${files} files`}${bytes == null ? ' of unknown size' : ` (${megabytes(bytes)})`} from ${label(from, 100)}`;
	return allowed ? `The next start downloads ${what}.` : `${label(id, 60)} needs ${what}.`;
};

const lines = (row: EnvironmentContents, servers: readonly string[]): string => {
	const facts = [
		['environment', label(row.environment_id)],
		['from', label(row.source, 400)],
		['python', label(row.python ?? 'unknown')],
		['size', row.size == null ? 'unknown' : megabytes(row.size)],
		['servers', servers.map(name => label(name, 60)).join(', ') || NONE],
		[
			'packages',
			row.packages.map(({name, version}) => label(`${name} ${version ?? ''}`.trim(), 80)).join(', ') || NONE,
		],
		[
			'at start',
			downloadText(row) ?? (row.state === 'build' ? 'It is built before the first start.' : 'ready'),
		],
		...(row.installs == null ? [] : [['installing', label(row.installs, 400)]]),
	];
	return facts.map(([name = '', text = '']) => `${name.padEnd(13)}${text}\n`).join('');
};

const plan = async (context: Context, {client}: Service, id: string): Promise<EnvironmentContents> => {
	const reply = await client.planEnvironment(id, {signal: context.signal});
	if (!reply.ok) throw refused(reply.failure);
	return reply.value;
};

/** Runs `env list`. */
export const listContents = async (context: Context): Promise<void> => {
	const {client} = await context.connect();
	const reply = await client.environmentContents({signal: context.signal});
	if (!reply.ok) throw refused(reply.failure);
	if (context.json) return printJson(context, reply.value);
	await context.stdout.write(tableText(COLUMNS, reply.value, context.stdout.columns));
};

/** Runs `env show`. */
export const showContents = async (context: Context, id: string): Promise<void> => {
	const service = await context.connect();
	const found = await plan(context, service, id);
	const {items} = valueOf(await service.client.servers({signal: context.signal}));
	const users = items.filter(({environment}) => environment === id).map(({name}) => name);
	await printResult(context, {...found, servers: users}, lines(found, users));
};

/**
 * Runs `env allow`: records the user's consent to downloading the packages when a server starts.
 */
export const allowDownloads = async (context: Context, id: string): Promise<void> => {
	const {client} = await context.connect();
	const reply = await client.allowDownload(id, {signal: context.signal});
	if (!reply.ok) throw refused(reply.failure);
	await printResult(
		context,
		reply.value,
		`${downloadText(reply.value) ?? `${label(id, 60)} is ready: nothing needs to be downloaded.`}\n`,
	);
};

/** Runs `env create`. */
export const createOwn = async (
	context: Context,
	id: string,
	packages: readonly string[],
	{python, system}: {readonly python?: string; readonly system?: boolean},
): Promise<void> => {
	const {client} = await context.connect();
	const request = {
		...{environment_id: id, packages: [...packages]},
		...(python !== undefined && {python}),
		...(system !== undefined && {system}),
	};
	const reply = await client.createEnvironment(request, {signal: context.signal});
	if (!reply.ok) throw refused(reply.failure);
	await printResult(
		context,
		reply.value,
		`${label(id, 60)} was created. ${downloadText(reply.value) ?? (reply.value.state === 'build' ? 'It is built before its first start.' : 'It is ready.')}\n`,
	);
};

/** Runs `env rm`: removes an environment that the user created and no server uses. */
export const removeOwn = async (
	context: Context,
	id: string,
	{yes = false}: {readonly yes?: boolean},
): Promise<void> => {
	const {client} = await context.connect();
	const {items} = valueOf(await client.servers({signal: context.signal}));
	const users = items.filter(({environment}) => environment === id).map(({name}) => label(name, 60));
	if (users.length > 0 && !yes)
		throw usageError(
			`${label(id, 60)} is the environment of ${users.join(', ')}. Nothing was removed.`,
			'--yes removes it anyway.',
		);
	const reply = await client.removeEnvironment(id, {signal: context.signal});
	if (!reply.ok) throw refused(reply.failure);
	await printResult(context, {environment_id: id, removed: true}, `${label(id, 60)} was removed.\n`);
};

/**
 * Records the user's consent to downloading the packages of an environment, before the server is
 * started.
 */
export const allowBeforeStart = async (context: Context, {client}: Service, id: string): Promise<void> => {
	const reply = await client.allowDownload(id, {signal: context.signal});
	if (!reply.ok) throw refused(reply.failure);
};
