import {encode, type Outgoing} from './wire.ts';

/** Limits in bytes: messages that wait for one session, and unsent messages in its connection. */
const WAITING_BYTES = 8 << 20;
const SENDING_BYTES = 1 << 20;
/** Limit in bytes beyond which even notices about dropped messages are dropped. */
const MOST_BYTES = 3 * WAITING_BYTES;
/** Limit of unconfirmed bytes for a client that confirms receipt. */
const FLYING_BYTES = 2 << 20;
const TIDY_AFTER = 1000;

/** A WebSocket, as a replay buffer sees it. */
export type Line = {
	readonly form: 'text' | 'binary';
	/** Unsent bytes in the connection. */
	waiting(): number;
	/** `onSent`: called once the message needs no further tracking. */
	send(data: string | Buffer, onSent: () => void): void;
	close(): void;
};

/** Messages to one client session, each delivered once, and held while it is disconnected. */
export type ReplayBuffer = {
	push(message: Outgoing): void;
	/**
	 * Replaces the session's connection and sends waiting messages. `received`: number of messages
	 * that the client has received, after which sending resumes. Null if it does not report it.
	 */
	open(line: Line, received?: number | null): void;
	/** True if the connection was the session's current one. */
	leave(line: Line): boolean;
	isOpen(): boolean;
	close(): void;
};

/** Messages to drop first. Other messages are dropped only at twice the limit. */
const OUTPUTS: ReadonlySet<string> = new Set([
	'stream',
	'display_data',
	'update_display_data',
	'execute_result',
]);

const sizeOf = ({header, parent, content}: Outgoing): number =>
	header.length + parent.length + content.length;

/** `droppedNotice` creates the notice for `count` dropped outputs, the last of which is `last`. */
export const createReplayBuffer = (
	droppedNotice: (last: Outgoing, count: number) => Outgoing,
): ReplayBuffer => {
	let line: Line | null = null;
	let waiting: Outgoing[] = [];
	/** Index of the first waiting message. Those in `flying` are handed over, but may be unsent. */
	let at = 0;
	let flying: Outgoing[] = [];
	let bytes = 0;
	let flyingBytes = 0;
	/** Number of the session's messages before the first one in `flying`. */
	let delivered = 0;
	let dropped: {last: Outgoing; count: number} | null = null;

	const enqueue = (message: Outgoing): void => {
		waiting.push(message);
		bytes += sizeOf(message);
	};
	const pump = (): void => {
		const to = line;
		while (
			to &&
			to === line &&
			at < waiting.length &&
			to.waiting() < SENDING_BYTES &&
			flyingBytes < FLYING_BYTES
		) {
			const message = waiting[at++];
			if (!message) break;
			bytes -= sizeOf(message);
			flying.push(message);
			flyingBytes += sizeOf(message);
			to.send(encode(message, to.form), () => {
				const sent = line === to ? flying.shift() : undefined;
				if (sent === undefined) return;
				flyingBytes -= sizeOf(sent);
				delivered++;
				pump();
			});
		}
		if (at === waiting.length || at > TIDY_AFTER) {
			waiting = waiting.slice(at);
			at = 0;
		}
	};
	/** Puts messages that may not have been sent back into the queue. */
	const requeue = (received: number | null): void => {
		if (received !== null) {
			flying = flying.slice(Math.max(0, received - delivered));
			// A connection attempt may arrive late, after its client has used another one.
			delivered = Math.max(delivered, received);
		}
		waiting = [...flying, ...waiting.slice(at)];
		at = 0;
		bytes += flying.reduce((sum, message) => sum + sizeOf(message), 0);
		flying = [];
		flyingBytes = 0;
	};
	const addDroppedNotice = (): void => {
		if (dropped) enqueue(droppedNotice(dropped.last, dropped.count));
		dropped = null;
	};
	return {
		push(message) {
			const limit = OUTPUTS.has(message.type) ? WAITING_BYTES : 2 * WAITING_BYTES;
			if (bytes + sizeOf(message) > limit) {
				// Each cell gets one notice, up to the limit for notices.
				if (dropped && dropped.last.parent !== message.parent && bytes < MOST_BYTES) addDroppedNotice();
				dropped = {last: message, count: (dropped?.count ?? 0) + 1};
				return;
			}
			addDroppedNotice();
			enqueue(message);
			pump();
		},
		open(opened, received = null) {
			const before = line;
			line = opened;
			requeue(received);
			before?.close();
			addDroppedNotice();
			pump();
		},
		leave(left_) {
			if (line !== left_) return false;
			line = null;
			return true;
		},
		isOpen: () => line !== null,
		close() {
			const open = line;
			line = null;
			open?.close();
			waiting = [];
			flying = [];
			bytes = 0;
			flyingBytes = 0;
			at = 0;
		},
	};
};
