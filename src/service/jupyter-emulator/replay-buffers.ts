import {createReplayBuffer, type Line, type ReplayBuffer} from './replay-buffer.ts';
import type {Outgoing} from './wire.ts';

/** Sessions that are kept for a client that comes back. */
const KEPT = 8;

/** The mailboxes of one kernel, by the session that a client names when it connects. */
export type ReplayBuffers = {
	/** `known`: what came meanwhile has waited for it. `came`: as in {@link ReplayBuffer.open}. */
	connect(
		session: string,
		line: Line,
		came: number | null,
	): {readonly mailbox: ReplayBuffer; readonly known: boolean};
	leave(session: string, line: Line): void;
	/** To everybody, also those who are away. */
	tell(message: Outgoing): void;
	/** Open connections. */
	count(): number;
	close(): void;
};

export const createReplayBuffers = (left: (last: Outgoing, count: number) => Outgoing): ReplayBuffers => {
	/** Those that were left last at the end. */
	const all = new Map<string, ReplayBuffer>();
	return {
		connect(session, line, came) {
			const known = all.get(session);
			const mailbox = known ?? createReplayBuffer(left);
			all.set(session, mailbox);
			mailbox.open(line, came);
			return {mailbox, known: known !== undefined};
		},
		leave(session, line) {
			const mailbox = all.get(session);
			if (mailbox?.leave(line) !== true) return;
			all.delete(session);
			all.set(session, mailbox);
			const away = [...all].filter(([, each]) => !each.isOpen());
			for (const [name] of away.slice(0, -KEPT)) all.delete(name);
		},
		tell(message) {
			for (const mailbox of all.values()) mailbox.push(message);
		},
		count: () => [...all.values()].filter(each => each.isOpen()).length,
		close() {
			for (const mailbox of all.values()) mailbox.close();
			all.clear();
		},
	};
};
