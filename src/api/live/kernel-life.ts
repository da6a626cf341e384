import type {KernelMessage} from '../../kernel/messages.ts';

/** What tells who runs the code: only a kernel's own answers do, since servers send messages about it too. */
const TELLING: ReadonlySet<string> = new Set(['kernel_info_reply', 'execute_reply', 'execute_input']);

export type KernelEnd = 'restarting' | 'dead' | 'ended';

const ENDS: Readonly<Record<KernelEnd, string>> = {
	restarting: 'The kernel ended and was started again',
	dead: 'The kernel died and cannot be started again',
	ended: 'The kernel was shut down',
};

/** What a cell says whose kernel has ended. */
export const kernelEndText = (how: KernelEnd): string => `${ENDS[how]}: its names are lost, files are kept.`;

/** Tells each process of a kernel from the one before it. */
export type KernelLife = {
	/** Says what the message tells of its end. `own`: the session of our requests, which some kernels give back as theirs. */
	see(message: KernelMessage, own: string): 'restarting' | 'ended' | null;
	/** `KERNEL/PROCESS`; null as long as it is not known. */
	now(): string | null;
};

export const createKernelLife = (id: string): KernelLife => {
	let process: string | null = null;
	return {
		see({msg_type: type, session, content}, own) {
			// A restart that somebody ordered is announced by the kernel, and by nobody else.
			if (type === 'shutdown_reply') return content['restart'] === true ? 'restarting' : 'ended';
			const isKnown = session !== '' && session !== own;
			if (
				type === 'status' &&
				content['execution_state'] === 'starting' &&
				isKnown &&
				process !== null &&
				session !== process
			)
				return 'restarting';
			if (isKnown && TELLING.has(type)) process = session;
			return null;
		},
		now: () => (process === null ? null : `${id}/${process}`),
	};
};
