import type {ListedKernel, LiveSession} from '../../api/client-types.ts';
import {DEFAULT_KERNEL} from '../../contract/names.ts';
import {sessionOf} from '../../run/open-kernel.ts';
import {label} from '../../text/safe.ts';
import {CommandError, failed, usageError} from '../command-error.ts';
import {liveLink, type ServerLink} from '../on-server.ts';
import {namedServer} from './named-server.ts';
import {namedPath} from './notebook-file.ts';
import * as z from './sdk.ts';
import type {Call} from './tool.ts';

export const notebookSession = (path: string, kernel: string): LiveSession =>
	sessionOf({kind: 'notebook', path, kernel});

/** Session in which `run_code` runs its code. */
export const replSession = (): LiveSession => sessionOf({kind: 'repl', kernel: DEFAULT_KERNEL});

/** Fields of a tool that choose a kernel. */
export const kernelChoice = {
	path: z.string().min(1).optional().describe('Notebook whose kernel to use'),
	kernel: z.string().min(1).optional().describe('Id of a kernel from list_kernels'),
};

type Choice = {readonly path?: string | undefined; readonly kernel?: string | undefined};

/**
 * Calls `act` with a link to the server's own address, and then closes the link.
 * @throws {CommandError} if there is no link.
 */
export const withLink = async <T>(
	call: Call,
	server: string,
	act: (live: ServerLink) => Promise<T>,
): Promise<T> => {
	await namedServer(call, server);
	const live = await liveLink(call.context, call.service, server);
	if (live === null)
		throw new CommandError(
			'unsupported',
			`${label(server, 60)} has no Jupyter API at an address of its own, which tools for kernels need.`,
			'run_code runs code without it.',
		);
	try {
		return await act(live);
	} finally {
		live.close();
	}
};

/** Session that the arguments select: that of a notebook, else that of `run_code`. */
export const chosenSession = ({path}: Choice): LiveSession =>
	path === undefined ? replSession() : notebookSession(path, DEFAULT_KERNEL);

/**
 * Running kernel that the arguments select: by its id or notebook, else that of `run_code`.
 * @throws {CommandError} if there is no such kernel.
 */
export const chosenKernel = async (live: ServerLink, choice: Choice): Promise<ListedKernel> => {
	const {path, kernel} = choice;
	if (path !== undefined && kernel !== undefined)
		throw usageError('Give either path or kernel.', 'Nothing was done.');
	const listed = await live.kernels.list(chosenSession(choice));
	if (!listed.ok) throw failed(listed.failure);
	const found = listed.value.find(({id, isOfSession}) =>
		kernel === undefined ? isOfSession : id === kernel,
	);
	if (found !== undefined) return found;
	throw new CommandError(
		'not-found',
		kernel !== undefined
			? `There is no kernel ${label(JSON.stringify(kernel), 80)}.`
			: `${path === undefined ? 'run_code' : namedPath(path)} has no kernel now.`,
		'list_kernels lists the kernels. Nothing was done.',
	);
};
