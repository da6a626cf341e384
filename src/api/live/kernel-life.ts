import type {KernelMessage} from '../../kernel/messages.ts';

/**
 * Types of messages that contain the session of the kernel's process. Other messages may come from
 * the server, on the kernel's behalf.
 */
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

/** Distinguishes the processes that a kernel has had in turn. */
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
			// A `shutdown_reply` is sent only by the kernel itself, for a restart or shutdown that
			// a client requested.
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
