import {createReplayBuffer, type Line, type ReplayBuffer} from './replay-buffer.ts';
import type {Outgoing} from './wire.ts';

/** Number of disconnected sessions that are retained for a client's return. */
const KEPT = 8;

/** Replay buffers of one kernel, by the session id that a client sends on connecting. */
export type ReplayBuffers = {
	/**
	 * `known`: the session existed and its messages waited. `came`: see {@link ReplayBuffer.open}.
	 */
	connect(
		session: string,
		line: Line,
		came: number | null,
	): {readonly mailbox: ReplayBuffer; readonly known: boolean};
	leave(session: string, line: Line): void;
	/** Sends a message to all sessions, including disconnected ones. */
	tell(message: Outgoing): void;
	count(): number;
	close(): void;
};

export const createReplayBuffers = (left: (last: Outgoing, count: number) => Outgoing): ReplayBuffers => {
	/** Sorted by time of disconnection, the latest at the end. */
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
