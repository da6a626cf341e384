import * as z from 'zod';
import {encodingError} from '../../contract/code-encoding.ts';
import {errorOutput, INTERRUPT_LIMIT_MS, LOST} from '../cell-errors.ts';
import {UnknownKernelError, UnreachableSessionError, type RunResult} from '../engine.ts';
import {connectKernel, type Kernel, type Outcome} from './kernel.ts';
import {callJupyter, callServer, type JupyterAddress} from './rest.ts';

/** Time limit for the start of a kernel, in ms. */
const START_LIMIT_MS = 60_000;

const session = z.object({id: z.string(), kernel: z.object({id: z.string()})});
const reason = z.object({message: z.string()});
const kernelSpecs = z.object({kernelspecs: z.record(z.string(), z.unknown())});

/**
 * Path of the Jupyter session. Contains no slash, so that the kernel starts in the server's root
 * folder.
 */
const pathOf = (name: string): string => `svc-tui-${name}`;

const unknown = async (server: JupyterAddress, name: string): Promise<UnknownKernelError> => {
	const {json} = await callServer(server, 'GET', 'api/kernelspecs');
	const names = Object.keys(kernelSpecs.safeParse(json).data?.kernelspecs ?? {});
	return new UnknownKernelError(
		`There is no kernel ${JSON.stringify(name)} here. ${names.length === 0 ? 'None is installed.' : `Installed: ${names.join(', ')}.`}`,
	);
};

type Opened = {readonly kernel: Kernel; readonly sessionId: string};

/**
 * Finds or starts the kernel. A session with this path may already exist, started by another
 * client.
 */
const openKernel = async (server: JupyterAddress, name: string, reborn: boolean): Promise<Opened> => {
	if (!/^[\w.-]{1,100}$/.test(name)) throw await unknown(server, name);
	const {status, json} = await callServer(server, 'POST', 'api/sessions', {
		body: {path: pathOf(name), type: 'console', name: `svc-tui ${name}`, kernel: {name}},
		limit: START_LIMIT_MS,
	});
	const {data} = session.safeParse(json);
	if (status === 201 && data)
		return {kernel: await connectKernel(server, data.kernel.id, {reborn}), sessionId: data.id};
	// Jupyter's status for a kernel that is not installed.
	if (status === 501) throw await unknown(server, name);
	// A hub's proxy responds with 404 or 405 if the server no longer exists.
	if (status === 404 || status === 405) throw new UnreachableSessionError('It does not respond.');
	throw new Error(reason.safeParse(json).data?.message ?? `status ${status}`);
};

const sentences: Readonly<
	Record<Exclude<Outcome['kind'], 'done'>, readonly [ename: string, evalue: string]>
> = {
	early: ['KeyboardInterrupt', 'The code was interrupted before it started.'],
	restarted: [
		'KernelRestarted',
		`The code did not stop within ${INTERRUPT_LIMIT_MS / 1000} s of the interrupt, so the kernel was killed and restarted: ${LOST}.`,
	],
	died: ['KernelDied', `The kernel died and was restarted: ${LOST}.`],
	dead: ['KernelDied', `The kernel died and cannot be restarted: ${LOST}. The next cell starts a new one.`],
	lost: ['KernelDied', `The kernel is gone: ${LOST}. The next cell starts a new one.`],
	unsent: ['KernelDied', 'The kernel does not respond; nothing was run. Try again.'],
};

const SERVER_GONE = ['KernelDied', `The server no longer responds: ${LOST}. Check its status.`] as const;

const answers = (server: JupyterAddress): Promise<boolean> =>
	callServer(server, 'GET', 'api/status').then(
		({status}) => status === 200,
		() => false,
	);

const DIED_MEANWHILE = `The kernel died and was restarted: ${LOST}.\n`;

/** Kernels of a Jupyter server by name. Each is shared with all clients that use the same name. */
export const createKernelSessions = (server: JupyterAddress) => {
	const kernels = new Map<string, Promise<Opened>>();
	/** Names of kernels that died and were not reopened yet. */
	const reborn = new Set<string>();
	/** Execution count of the last cell that was counted. */
	let count = 0;

	const open = (name: string): Promise<Opened> => {
		const known = kernels.get(name);
		if (known) return known;
		const opening = openKernel(server, name, reborn.delete(name));
		kernels.set(name, opening);
		opening.catch(() => kernels.delete(name));
		return opening;
	};
	const forget = async (name: string, {kernel, sessionId}: Opened, outcome: Outcome): Promise<void> => {
		kernel.close();
		kernels.delete(name);
		reborn.add(name);
		if (outcome.kind === 'dead')
			await callJupyter(server, 'DELETE', `api/sessions/${sessionId}`).catch(() => undefined);
	};
	const execute = async (
		name: string,
		code: string,
		signal: AbortSignal | undefined,
		again: boolean,
	): Promise<RunResult> => {
		const opened = await open(name);
		const {kernel} = opened;
		if (again || kernel.consumeDeath()) kernel.buffer.addText('stderr', DIED_MEANWHILE);
		const outcome = await kernel.execute(code, signal);
		const outputs = kernel.buffer.take();
		if (outcome.kind === 'done') {
			count = outcome.count;
			return {execution_count: count, outputs};
		}
		// Reopening waits until the kernel is running again, because the server delays the new
		// channel.
		if (outcome.kind !== 'early') await forget(name, opened, outcome);
		if (outcome.kind === 'unsent' && !again) return execute(name, code, signal, true);
		const ended = outcome.kind === 'lost' && !(await answers(server)) ? SERVER_GONE : sentences[outcome.kind];
		return {execution_count: count + 1, outputs: [...outputs, errorOutput(...ended)]};
	};

	return {
		/**
		 * Runs a cell. Errors of the code do not reject.
		 * @throws {UnknownKernelError} if there is no such kernel.
		 * @throws {UnreachableSessionError} if the server does not respond.
		 */
		async run(code: string, kernelName: string, signal?: AbortSignal): Promise<RunResult> {
			const refused = encodingError(code);
			if (refused !== null)
				return {execution_count: count + 1, outputs: [errorOutput(refused.ename, refused.evalue)]};
			try {
				return await execute(kernelName, code, signal, false);
			} catch (error) {
				if (error instanceof UnknownKernelError || error instanceof UnreachableSessionError) throw error;
				const why = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
				return {
					execution_count: count + 1,
					outputs: [
						errorOutput(
							'KernelDied',
							`The kernel ${kernelName} could not be started (${why.slice(0, 300)}).`,
						),
					],
				};
			}
		},
		/** Closes the channels. The kernels keep running on the server. */
		close(): void {
			for (const opening of kernels.values())
				void opening.then(
					({kernel}) => kernel.close(),
					() => undefined,
				);
			kernels.clear();
		},
	};
};
