import {encode, type Outgoing} from './wire.ts';

/** Limits in bytes: messages waiting for a session, and unsent messages in its connection. */
const WAITING_BYTES = 8 << 20;
const SENDING_BYTES = 1 << 20;
/**
 * Size of waiting messages, in bytes, above which even notices about dropped messages are dropped.
 */
const MOST_BYTES = 3 * WAITING_BYTES;
/** Maximum size of unconfirmed messages for a client that confirms receipt, in bytes. */
const FLYING_BYTES = 2 << 20;
const TIDY_AFTER = 1000;

/** WebSocket of a client. */
export type Line = {
	readonly form: 'text' | 'binary';
	/** Number of unsent bytes in the connection. */
	waiting(): number;
	/** Sends a message. `onSent`: called when the message can no longer be lost. */
	send(data: string | Buffer, onSent: () => void): void;
	close(): void;
};

/**
 * Buffer for the messages to one client session. Delivers each message once, and stores messages
 * while the client is disconnected.
 */
export type ReplayBuffer = {
	push(message: Outgoing): void;
	/**
	 * Replaces the session's connection and sends waiting messages. `received`: number of messages
	 * that the client has received, after which sending resumes. Null if the client does not report
	 * it.
	 */
	open(line: Line, received?: number | null): void;
	/**
	 * Call when a connection has closed. Returns true if it was the session's current connection.
	 */
	leave(line: Line): boolean;
	isOpen(): boolean;
	close(): void;
};

/** Types of messages that are dropped first. Other messages are dropped only at twice the limit. */
const OUTPUTS: ReadonlySet<string> = new Set([
	'stream',
	'display_data',
	'update_display_data',
	'execute_result',
]);

const sizeOf = ({header, parent, content}: Outgoing): number =>
	header.length + parent.length + content.length;

/**
 * Creates the buffer of a session. `droppedNotice` composes a notice about `count` dropped outputs,
 * the last of which is `last`.
 */
export const createReplayBuffer = (
	droppedNotice: (last: Outgoing, count: number) => Outgoing,
): ReplayBuffer => {
	let line: Line | null = null;
	let waiting: Outgoing[] = [];
	/**
	 * Index of the first waiting message. Messages in `flying` were passed to the connection, but
	 * may not have been sent.
	 */
	let at = 0;
	let flying: Outgoing[] = [];
	let bytes = 0;
	let flyingBytes = 0;
	/** Number of messages delivered in this session before the first one in `flying`. */
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
	/** Returns messages that may not have been sent to the queue. */
	const requeue = (received: number | null): void => {
		if (received !== null) {
			flying = flying.slice(Math.max(0, received - delivered));
			// Never decreases: a connection attempt may arrive late, after its client has already
			// used another connection.
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
				// Adds one notice per cell, up to the limit for notices.
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
