import type {KernelMessage} from '../../kernel/messages.ts';

/** Messages with the session of the kernel's process. Servers send others on its behalf. */
const IDENTIFYING_TYPES: ReadonlySet<string> = new Set([
	'kernel_info_reply',
	'execute_reply',
	'execute_input',
]);

export type KernelEnd = 'restarting' | 'dead' | 'ended';

const ENDS: Readonly<Record<KernelEnd, string>> = {
	restarting: 'The kernel ended and was restarted',
	dead: 'The kernel died and cannot be restarted',
	ended: 'The kernel was shut down',
};

/** Error text of a cell whose kernel has ended. */
export const kernelEndText = (how: KernelEnd): string => `${ENDS[how]}: variables are lost, files are kept.`;

/** Distinguishes the successive processes of a kernel. */
export type KernelLife = {
	/** Returns the end that a message announces. `own`: our session, which some kernels echo. */
	see(message: KernelMessage, own: string): 'restarting' | 'ended' | null;
	/** Kernel process, as `KERNEL/PROCESS`. Null if unknown. */
	now(): string | null;
};

export const createKernelLife = (id: string): KernelLife => {
	let process: string | null = null;
	return {
		see({msg_type: type, session, content}, own) {
			// Only the kernel itself announces a restart that a client has requested.
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
			if (isKnown && IDENTIFYING_TYPES.has(type)) process = session;
			return null;
		},
		now: () => (process === null ? null : `${id}/${process}`),
	};
};
