import type {DataReply} from '../../../api/kernel-data/kernel-data.ts';
import {label} from '../../../text/safe.ts';

/** Reason why a reply takes long. */
export const BUSY = 'The kernel runs a cell: waiting for its end';

/** Reason why a kernel did not reply with what was asked for. Null if it did. */
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
