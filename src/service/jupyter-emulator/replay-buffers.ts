import {createReplayBuffer, type Line, type ReplayBuffer} from './replay-buffer.ts';
import type {Outgoing} from './wire.ts';

/** Maximum number of disconnected sessions whose messages are retained. */
const KEPT = 8;

/** Replay buffers of a kernel, by the session id that a client sends when it connects. */
export type ReplayBuffers = {
	/**
	 * Connects a client. `known`: true if the session existed before, so that its messages were
	 * retained. `received`: see {@link ReplayBuffer.open}.
	 */
	connect(
		session: string,
		line: Line,
		received: number | null,
	): {readonly buffer: ReplayBuffer; readonly known: boolean};
	leave(session: string, line: Line): void;
	/** Sends a message to all sessions, including disconnected ones. */
	tell(message: Outgoing): void;
	count(): number;
	close(): void;
};

export const createReplayBuffers = (
	droppedNotice: (last: Outgoing, count: number) => Outgoing,
): ReplayBuffers => {
	/** Buffers of disconnected sessions are in the order of disconnection, latest last. */
	const all = new Map<string, ReplayBuffer>();
	return {
		connect(session, line, received) {
			const known = all.get(session);
			const buffer = known ?? createReplayBuffer(droppedNotice);
			all.set(session, buffer);
			buffer.open(line, received);
			return {buffer, known: known !== undefined};
		},
		leave(session, line) {
			const buffer = all.get(session);
			if (buffer?.leave(line) !== true) return;
			all.delete(session);
			all.set(session, buffer);
			const away = [...all].filter(([, each]) => !each.isOpen());
			for (const [name] of away.slice(0, -KEPT)) all.delete(name);
		},
		tell(message) {
			for (const buffer of all.values()) buffer.push(message);
		},
		count: () => [...all.values()].filter(each => each.isOpen()).length,
		close() {
			for (const buffer of all.values()) buffer.close();
			all.clear();
		},
	};
};
