import {label} from '../../text/safe.ts';
import type {DataReply, Variable} from './kernel-data.ts';

/** Reason why a reply takes long. */
export const BUSY = 'The kernel is running a cell: waiting for it to end';

const NO_KERNEL = 'No kernel is running, or it cannot be reached. The first cell starts one';

/** Reason why a reply does not contain the requested data. Null if it does. */
export const replyText = (reply: DataReply, name: string): string | null => {
	const what = label(name, 40);
	switch (reply.kind) {
		case 'none':
		case 'error':
			return label(reply.says, 300);
		case 'gone':
			return `${what} is no longer in the kernel`;
		case 'changed':
			return `${what} has changed`;
		case 'lost':
			return 'The kernel has restarted or cannot be reached';
		case 'unknown':
			return 'This kernel cannot show objects: that needs Python';
		default:
			return null;
	}
};

/**
 * `rows`: largest variables first. Their text is not escaped. `total`: number of variables in the
 * kernel.
 */
export type KernelVariables = {readonly rows: readonly Variable[]; readonly total: number};

/**
 * Variables in a reply, or a sentence that explains why there are none. Empty if the caller stopped
 * waiting.
 */
export const variablesIn = (reply: DataReply): KernelVariables | string => {
	if (reply.kind === 'variables') return {rows: reply.variables, total: reply.total};
	return reply.kind === 'lost' ? NO_KERNEL : (replyText(reply, 'The kernel') ?? '');
};

/** Shape of a variable: rows and columns as `20,640 × 10`, or a length as a number. */
export const shapeText = ({shape}: Pick<Variable, 'shape'>): string =>
	shape.map(each => each.toLocaleString('en')).join(' × ');
