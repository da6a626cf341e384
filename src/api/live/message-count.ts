import type {KernelMessage} from '../../kernel/messages.ts';
import {numberOf} from './message-order.ts';

const MOST = 10_000;

/** Counts lost messages. It needs a kernel that numbers its messages at the end of their ids. */
export type MessageCount = {
	see(message: KernelMessage): void;
	begin(): void;
	/** Number of lost messages. Null if the kernel does not number them. */
	missing(): number | null;
};

/**
 * `isOurs`: true for the id of one of our requests. A reply to another client's request is sent
 * only to that client, so its missing number is not a loss. The `idle` message after the reply is
 * sent to all clients, and proves that there was a reply.
 */
export const createMessageCount = (isOurs: (id: string) => boolean): MessageCount => {
	let series: string | null = null;
	let last = -1;
	let holes = new Set<number>();
	let more = 0;
	/** Number of messages that are sent only to another client, by the id of its request. */
	let elsewhere = new Map<string, number>();
	/** Numbers of the `busy` messages of those requests. */
	const begunElsewhere = new Map<string, number>();
	const begin = (): void => {
		holes = new Set();
		elsewhere = new Map();
		more = 0;
	};
	return {
		see(message) {
			const {msg_type: type, parent_header: parent, content} = message;
			const numbered = numberOf(message);
			if (numbered === null) return;
			const {series: name, number} = numbered;
			if (name !== series) {
				// A child process of the kernel has its own count. After a restart, the count
				// starts at 0.
				if (series !== null && number > 0 && number < last) return;
				series = name;
				last = number;
				begin();
				return;
			}
			if (number <= last) holes.delete(number);
			else {
				more += Math.max(0, number - last - 1 - MOST);
				for (let missed = Math.max(last + 1, number - MOST); missed < number && holes.size < MOST; missed++)
					holes.add(missed);
				last = number;
			}
			if (type !== 'status' || parent.msg_id === '' || isOurs(parent.msg_id)) return;
			if (content['execution_state'] === 'busy') begunElsewhere.set(parent.msg_id, number);
			else if (content['execution_state'] === 'idle') {
				const begun = begunElsewhere.get(parent.msg_id);
				begunElsewhere.delete(parent.msg_id);
				// While the kernel runs another client's cell, it runs none of ours. Only that
				// client receives the input requests of the cell, so all gaps during that cell are
				// not losses.
				if (begun !== undefined && parent.msg_type === 'execute_request') {
					for (const hole of holes) if (hole > begun && hole < number) holes.delete(hole);
					return;
				}
				// If the server itself is the client, the `busy` message before the reply is not
				// sent here either.
				elsewhere.set(parent.msg_id, begun === undefined ? 2 : 1);
			}
		},
		begin,
		missing: () =>
			series === null
				? null
				: Math.max(0, holes.size + more - [...elsewhere.values()].reduce((sum, each) => sum + each, 0)),
	};
};

/** Warning in a cell that lost output. `count`: null if unknown. `isKept`: the server buffers. */
export const missingOutputText = (count: number | null, isKept: boolean): string => {
	const what =
		count === null
			? 'some of its output may be missing'
			: `${count} ${count === 1 ? 'message from the kernel was' : 'messages from the kernel were'} lost; output may be missing`;
	const remedy = isKept ? '' : ' The server can be set up to keep them: svc-tui help live.';
	return `[The connection broke while this ran: ${what}.${remedy}]\n`;
};
