import type {KernelMessage} from '../../kernel/messages.ts';
import {numberOf} from './message-order.ts';

const MOST = 10_000;

/** Whether messages of a kernel are missing, which says itself how many it has sent: its ids end with their number. */
export type MessageCount = {
	see(message: KernelMessage): void;
	/** From here on. */
	begin(): void;
	/** How many did not come; null for a kernel that does not number them. */
	missing(): number | null;
};

/**
 * `isOurs`: a request of ours has this id. The answer to somebody else's request goes to them only, and is no gap: that there was one is told
 * to all, by the `idle` behind it.
 */
export const createMessageCount = (isOurs: (id: string) => boolean): MessageCount => {
	let series: string | null = null;
	let last = -1;
	let holes = new Set<number>();
	let more = 0;
	/** Of each request of others what is known not to come. */
	let elsewhere = new Map<string, number>();
	/** The numbers of their `busy`. */
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
				// A child of the kernel counts for itself, a kernel that was started again anew.
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
				// While it runs a cell of others it runs none of ours; how often that asks by input() only they learn.
				if (begun !== undefined && parent.msg_type === 'execute_request') {
					for (const hole of holes) if (hole > begun && hole < number) holes.delete(hole);
					return;
				}
				// A server that asks the kernel itself keeps the `busy` before its answer, too.
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

/** What a cell says that misses something; null: how many is not known. `isKept`: by a server that keeps all, as far as it can. */
export const missingOutputText = (count: number | null, isKept: boolean): string => {
	const what =
		count === null
			? 'some of its output may be missing'
			: `${count} message${count === 1 ? '' : 's'} of the kernel did not come, so output may be missing`;
	const remedy = isKept ? '' : ' Its server can be made to keep them: svc-tui help live.';
	return `[The connection broke while this ran: ${what}.${remedy}]\n`;
};
