import {PENDING} from '../contract/names.ts';
import {isOver, isUp} from '../text/server-states.ts';
import {
	addressOf,
	ADDRESS_FIELDS,
	openingAddress,
	tokenAddress,
	addressError,
	type AddressName,
} from '../query/server-addresses.ts';
import {label} from '../text/safe.ts';
import {withoutToken} from '../text/token.ts';
import {CommandError, usageError} from './command-error.ts';
import type {Context} from './context.ts';
import {findServer, startLine} from './find-server.ts';
import {printLifetimeNotice} from './on-server.ts';
import {printNotice, printResult} from './print.ts';
import {storageErrorText} from '../machine/disk-fault.ts';

export type OpenOptions = {
	readonly editor?: boolean;
	readonly forward?: boolean;
	readonly print?: boolean;
	readonly withToken?: boolean;
};

const WORDS: Readonly<Record<AddressName, string>> = {
	url: 'page',
	editor: 'editor',
	forward: 'forward address',
};

const nameOf = ({editor = false, forward = false}: OpenOptions): AddressName => {
	if (editor && forward) throw usageError('Use either --editor or --forward, not both.');
	return editor ? 'editor' : forward ? 'forward' : 'url';
};

/** Opens an address in the browser. False if there is no browser. */
const given = async (context: Context, address: string, token: string | null): Promise<boolean> => {
	try {
		return await context.open(address, token);
	} catch (error) {
		throw new CommandError(
			'local-file',
			`Could not open the browser: ${storageErrorText(error)}.`,
			'--with-token prints the address with its token.',
		);
	}
};

/**
 * Runs `server open`: opens an address of a server in the browser. Prints it without a browser, or
 * on request.
 */
export const openServer = async (context: Context, name: string, options: OpenOptions): Promise<void> => {
	const which = nameOf(options);
	const service = await context.connect();
	const server = await findServer(context, service, name);
	const stated = addressOf(server, which);
	const why = addressError(stated);
	if (stated === null || why !== undefined) {
		const next = isOver(server.status)
			? `It is ${label(server.status, 40)}. Start it first: ${startLine(context, name)}`
			: isUp(server.status) && stated !== PENDING
				? `${context.typed('servers', '--json')} shows all that the service reports about it.`
				: `${context.typed('server', 'wait', name)} waits until it is ready.`;
		throw new CommandError(
			isOver(server.status) ? 'server-offline' : 'server-failed',
			`The ${WORDS[which]} of ${JSON.stringify(name)} cannot be opened: ${why}.`,
			next,
		);
	}
	const address = openingAddress(server, which, false) ?? stated;
	const whole = tokenAddress(server, which);
	const isPrinted = options.print === true || options.withToken === true || context.json;
	if (!isPrinted && (await given(context, address, server.token ?? null)))
		return printLifetimeNotice(context, service, name);
	const shown = options.withToken ? (whole ?? stated) : withoutToken(address, server.token);
	await printResult(context, {[ADDRESS_FIELDS[which]]: shown}, `${label(shown, 4000)}\n`);
	if (options.withToken && whole === null)
		await printNotice(context, `${label(name, 60)} has no token for its ${WORDS[which]}.`);
	if (!isPrinted)
		await printNotice(
			context,
			`No browser found.${whole === null ? '' : ' --with-token prints the address with its token.'}`,
		);
};
