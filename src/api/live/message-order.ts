import type {KernelMessage} from '../../kernel/messages.ts';

const NUMBERED = /^(.{1,200})_(\d{1,12})$/;
/** Numbers that are remembered as missing. */
const MOST = 10_000;
/** UTF-16 units that wait for what is missing before them. */
const MOST_WAITING = 8 << 20;
/** What is missing after a cut is waited for so long. */
const PATIENCE_MS = 1500;

/** A kernel's own number of a message, with the name of its series; null for one that has none. */
export const numberOf = ({
	msg_id: id,
}: Pick<KernelMessage, 'msg_id'>): {readonly series: string; readonly number: number} | null => {
	const [, series = '', digits = ''] = NUMBERED.exec(id) ?? [];
	return digits === '' ? null : {series, number: Number(digits)};
};

type Numbered = {readonly message: KernelMessage; readonly size: number};

/** Passes on each message once. */
export type MessageOrder = {
	/** `size`: UTF-16 units of it as it came. */
	take(message: KernelMessage, size: number): void;
	/** Passes on what waits, whatever is missing. */
	release(): void;
};

/**
 * A kernel numbers what it sends: what came before is thrown away, and while `isBroken` (a cell runs whose connection broke) what comes too early
 * waits a while for what is missing. Otherwise nothing waits: channels overtake each other, and the answers to others never come.
 */
export const createMessageOrder = (
	isBroken: () => boolean,
	isOurs: (parent: string) => boolean,
	pass: (message: KernelMessage, size: number) => void,
): MessageOrder => {
	let series: string | null = null;
	let first = 0;
	let last = -1;
	/** Numbers up to `last` that were not there. */
	const missing = new Set<number>();
	/** From before the first. */
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
	/** Up to the next gap behind the one that is given up. */
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
	/** The answer to somebody else goes to them only, and `idle` behind it tells all that there was one. */
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
				// A child of the kernel goes on from its count under another name; a kernel that was started again begins anew.
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
				// It may have been among those.
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
	};
};
