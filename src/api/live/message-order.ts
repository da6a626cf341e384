import type {KernelMessage} from '../../kernel/messages.ts';

const NUMBERED = /^(.{1,200})_(\d{1,12})$/;
/** Number of missing messages that are remembered. */
const MOST = 10_000;
/** Limit of the messages that wait for missing ones, in UTF-16 units. */
const MOST_WAITING = 8 << 20;
/** Longest wait for missing messages after a connection broke, in ms. */
const PATIENCE_MS = 1500;

/** Number and series of a message, read from its id. Null if it has none. */
export const numberOf = ({
	msg_id: id,
}: Pick<KernelMessage, 'msg_id'>): {readonly series: string; readonly number: number} | null => {
	const [, series = '', digits = ''] = NUMBERED.exec(id) ?? [];
	return digits === '' ? null : {series, number: Number(digits)};
};

type Numbered = {readonly message: KernelMessage; readonly size: number};

/** Passes messages on in order, each of them once. */
export type MessageOrder = {
	/** `size`: length of the received message, in UTF-16 units. */
	take(message: KernelMessage, size: number): void;
	/** Passes on the messages that are held back, despite gaps. */
	release(): void;
	/** True if a message is held back because earlier ones are missing. */
	isWaiting(): boolean;
};

/**
 * Orders messages by the kernel's numbers, and drops duplicates. `isBroken`: true while a cell runs
 * whose connection broke. Then messages after a gap are held back until the missing ones arrive.
 * Otherwise none is held back, because channels overtake each other, and replies to other clients
 * never arrive.
 */
export const createMessageOrder = (
	isBroken: () => boolean,
	isOurs: (parent: string) => boolean,
	pass: (message: KernelMessage, size: number) => void,
): MessageOrder => {
	let series: string | null = null;
	let first = 0;
	let last = -1;
	/** Missing numbers below `last`. */
	const missing = new Set<number>();
	/** Received numbers before `first`. */
	const early = new Set<number>();
	const waiting = new Map<number, Numbered>();
	let units = 0;
	let timer: NodeJS.Timeout | undefined;

	const skipTo = (number: number): void => {
		for (let each = Math.max(last + 1, number - MOST); each < number; each++) missing.add(each);
		for (const each of missing) {
			if (missing.size <= MOST) break;
			missing.delete(each);
		}
	};
	const go = (number: number, {message, size}: Numbered): void => {
		skipTo(number);
		last = number;
		pass(message, size);
	};
	const goOn = (): void => {
		for (let next = waiting.get(last + 1); next; next = waiting.get(last + 1)) {
			waiting.delete(last + 1);
			units -= next.size;
			go(last + 1, next);
		}
	};
	/** Skips the first gap, and passes on the messages up to the next one. */
	const giveUp = (): void => {
		const lowest = [...waiting.keys()].reduce((least, each) => Math.min(least, each), Infinity);
		if (lowest === Infinity) return;
		skipTo(lowest);
		last = lowest - 1;
		goOn();
	};
	const release = (): void => {
		clearTimeout(timer);
		timer = undefined;
		while (waiting.size > 0) giveUp();
	};
	/** True for an `idle` after a reply to another client. The reply itself never arrives here. */
	const isBehindAnswer = ({msg_type: type, content, parent_header: parent}: KernelMessage): boolean =>
		type === 'status' &&
		content['execution_state'] === 'idle' &&
		parent.msg_id !== '' &&
		!isOurs(parent.msg_id);

	return {
		take(message, size) {
			const numbered = numberOf(message);
			if (numbered === null) return pass(message, size);
			const {number} = numbered;
			if (numbered.series !== series) {
				// A child process of the kernel uses another name with a similar count. After a
				// restart, the count starts again.
				if (series !== null && number > 0 && number < last) return pass(message, size);
				release();
				series = numbered.series;
				first = number;
				last = number;
				missing.clear();
				early.clear();
				return pass(message, size);
			}
			if (number <= last) {
				if (number < first ? early.has(number) : !missing.delete(number)) return;
				if (number < first && early.size < MOST) early.add(number);
				return pass(message, size);
			}
			if (!isBroken()) {
				release();
				// `release` may have passed this message on.
				if (number > last) go(number, {message, size});
				return;
			}
			if (waiting.has(number)) return;
			waiting.set(number, {message, size});
			units += size;
			if (isBehindAnswer(message) && number === last + 2) giveUp();
			goOn();
			if (units > MOST_WAITING) release();
			if (waiting.size === 0) {
				clearTimeout(timer);
				timer = undefined;
			} else timer ??= setTimeout(release, PATIENCE_MS).unref();
		},
		release,
		isWaiting: () => waiting.size > 0,
	};
};
