import {encode, type Outgoing} from './wire.ts';

/** Bytes that may wait for one session, and those that its connection holds before more waits. */
const WAITING_BYTES = 8 << 20;
const SENDING_BYTES = 1 << 20;
/** Bytes beyond which not even a sentence on what was left out waits. */
const MOST_BYTES = 3 * WAITING_BYTES;
/** Bytes that may be on their way to a client which says what has come. */
const FLYING_BYTES = 2 << 20;
const TIDY_AFTER = 1000;

/** A WebSocket, as far as a mailbox is concerned. */
export type Line = {
	readonly form: 'text' | 'binary';
	/** Bytes that it has been given and has not sent. */
	waiting(): number;
	/** `onSent`: nothing has to be known of it any more. */
	send(data: string | Buffer, onSent: () => void): void;
	close(): void;
};

/** What the kernel tells one session of a client, in order, each message once: while no connection of it is open, it waits here. */
export type ReplayBuffer = {
	push(message: Outgoing): void;
	/**
	 * Sends what waits, and what comes, over this connection; an older one of the session is closed. `came`: so many messages of this session have
	 * come at the client; it goes on behind them. Null: the client does not say.
	 */
	open(line: Line, came?: number | null): void;
	/** Whether the connection was the one of the session. */
	leave(line: Line): boolean;
	isOpen(): boolean;
	close(): void;
};

/** What is left out first when too much waits; replies, errors and states only when nothing helps. */
const OUTPUTS: ReadonlySet<string> = new Set([
	'stream',
	'display_data',
	'update_display_data',
	'execute_result',
]);

const sizeOf = ({header, parent, content}: Outgoing): number =>
	header.length + parent.length + content.length;

/** `left` makes the message that stands for `count` outputs left out, the last of which was `last`. */
export const createReplayBuffer = (left: (last: Outgoing, count: number) => Outgoing): ReplayBuffer => {
	let line: Line | null = null;
	let waiting: Outgoing[] = [];
	/** Where in it the first stands that was not given to the connection, and those that it has and has not sent. */
	let at = 0;
	let flying: Outgoing[] = [];
	let bytes = 0;
	let flyingBytes = 0;
	/** Messages of the session before the first that flies. */
	let gone = 0;
	let lost: {last: Outgoing; count: number} | null = null;

	const keep = (message: Outgoing): void => {
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
				gone++;
				pump();
			});
		}
		if (at === waiting.length || at > TIDY_AFTER) {
			waiting = waiting.slice(at);
			at = 0;
		}
	};
	/** What the connection has not sent, as far as we know, is the next one's. */
	const takeBack = (came: number | null): void => {
		if (came !== null) {
			flying = flying.slice(Math.max(0, came - gone));
			gone = came;
		}
		waiting = [...flying, ...waiting.slice(at)];
		at = 0;
		bytes += flying.reduce((sum, message) => sum + sizeOf(message), 0);
		flying = [];
		flyingBytes = 0;
	};
	const tellLost = (): void => {
		if (lost) keep(left(lost.last, lost.count));
		lost = null;
	};
	return {
		push(message) {
			const limit = OUTPUTS.has(message.type) ? WAITING_BYTES : 2 * WAITING_BYTES;
			if (bytes + sizeOf(message) > limit) {
				// A sentence for each cell, as long as there is room for sentences.
				if (lost && lost.last.parent !== message.parent && bytes < MOST_BYTES) tellLost();
				lost = {last: message, count: (lost?.count ?? 0) + 1};
				return;
			}
			tellLost();
			keep(message);
			pump();
		},
		open(opened, came = null) {
			const before = line;
			line = opened;
			takeBack(came);
			before?.close();
			tellLost();
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
