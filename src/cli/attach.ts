import type {Failure} from '../api/failure.ts';
import {canBeServerName} from '../contract/names.ts';
import {definedFields} from '../text/record.ts';
import {label} from '../text/safe.ts';
import {hasToken} from '../text/token.ts';
import {CommandError, failed, usageError} from './command-error.ts';
import type {Context} from './context.ts';
import {printResult} from './print.ts';

export type AttachOptions = {
	readonly name?: string;
	readonly insecureToken?: boolean;
	readonly token?: unknown;
	readonly url?: unknown;
	readonly address?: unknown;
};

const PIPED = 'jupyter server list prints it; svc-tui attach < FILE reads it from a file.';

/** Error for a rejected call. The service's own message contains the remedy. */
const refused = (failure: Failure): CommandError => {
	if (failure.status === 404 && failure.path.endsWith('attach'))
		return new CommandError(
			'not-found',
			'This service does not allow attaching servers.',
			'svc-tui attach works with the local service, or with a service started with svc-tui serve --allow-attach HOST.',
		);
	return failure.reason === undefined || failure.status === 401
		? failed(failure)
		: new CommandError(failure.kind, failure.reason, '', undefined, failure);
};

/**
 * Reads the address, and the token unless the address contains it. They are two lines of standard
 * input, or two questions on a terminal.
 */
const readGiven = async ({
	ask,
	stdinIsTTY,
	readStdin,
}: Context): Promise<{readonly address: string; readonly token?: string}> => {
	if (ask !== undefined) {
		const address = (
			await ask('Address of the Jupyter Server, with its token (not shown): ', {masked: true})
		).trim();
		if (address === '' || hasToken(address)) return {address};
		return {address, token: (await ask('Its token (not shown): ', {masked: true})).trim()};
	}
	if (stdinIsTTY) throw usageError('Cannot prompt for the address: no terminal.', `Pipe it in: ${PIPED}`);
	const [address = '', token] = (await readStdin()).toString('utf8').trim().split(/\s+/);
	return {address, ...definedFields({token})};
};

/** Runs `attach`: adds a running Jupyter Server to the service's list. */
export const attachServer = async (
	context: Context,
	words: readonly string[],
	{name, insecureToken, token, url, address: option}: AttachOptions,
): Promise<void> => {
	// The error does not repeat the arguments, which may contain the token.
	if (words.length > 0 || [token, url, option].some(value => value !== undefined))
		throw usageError(
			'Do not pass the address as an argument: other users of this machine could read its token.',
			`Enter it when svc-tui attach asks for it, or pipe it in: ${PIPED}`,
		);
	if (name !== undefined && !canBeServerName(name, true))
		throw usageError(
			'--name has 1 to 63 letters, digits and hyphens, and starts and ends with a letter or digit.',
			'svc-tui attach --help shows how.',
		);
	const found = await readGiven(context);
	if (found.address === '') throw usageError('No address was typed or piped in.', `Pipe it in: ${PIPED}`);
	const {client} = await context.connect();
	const request = {...found, ...definedFields({name, insecure_http: insecureToken})};
	const reply = await client.attachServer(request, {signal: context.signal});
	if (!reply.ok) throw refused(reply.failure);
	const {server_name: attached, host} = reply.value;
	await printResult(
		context,
		{server_name: attached, host},
		`${label(attached)} is attached: the Jupyter Server at ${label(host)}. ${context.typed('detach', attached)} removes it from your list.\n`,
	);
};

export const detachServer = async (context: Context, name: string): Promise<void> => {
	const {client} = await context.connect();
	const reply = await client.detachServer(name, {signal: context.signal});
	if (!reply.ok) throw refused(reply.failure);
	await printResult(
		context,
		{server_name: name, detached: true},
		`${label(name)} was detached. The Jupyter Server keeps running.\n`,
	);
};
