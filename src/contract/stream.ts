import {exactPythonJsonIn} from '../text/python-json.ts';
import {finish, start, type Usage} from './assistant.ts';

/**
 * `0` text, `g` reasoning, `3` error, `f` first line, `e` end of a step, `d` end of the answer.
 * The specification lacks `g` and `3`, which are the AI SDK's.
 */
export type LineCode = '0' | 'g' | '3' | 'f' | 'e' | 'd';

/** Request header that requests `g` lines. An extension of the API. */
export const THINKING_HEADER = 'x-svc-thinking';

/** @throws {TypeError} if JSON cannot represent the payload. */
export const encodeLine = (code: LineCode, payload: unknown): string => {
	// `stringify` returns undefined for undefined, functions and symbols, although its declared
	// type is string.
	const json: string | undefined = JSON.stringify(payload);
	if (json === undefined) throw new TypeError('a line needs a payload that JSON can hold');
	return `${code}:${json}\n`;
};

export type StreamEvent =
	| {readonly type: 'text' | 'reasoning' | 'error'; readonly text: string}
	| {readonly type: 'start'; readonly messageId: string}
	| {
			readonly type: 'finish';
			readonly code: 'e' | 'd';
			readonly finishReason: string | null;
			readonly usage: Usage | null;
	  };

/** `maxLine` in UTF-16 units, `maxTotal` in bytes, `maxBad` in lines. */
export type DecoderLimits = {readonly maxLine?: number; readonly maxTotal?: number; readonly maxBad?: number};

type Line =
	| StreamEvent
	| {readonly type: 'skipped'; readonly code: string}
	| {readonly type: 'bad'; readonly reason: string};

const CODE = /^[0-9a-z]{1,2}$/i;
const NOT_FINISH = 'not a finish line';
const bad = (reason: string): Line => ({type: 'bad', reason});

/** Parses JSON as Python writes it, which may contain NaN and Infinity. */
const jsonOf = (payload: string): {readonly value: unknown} | undefined => {
	const value = exactPythonJsonIn(payload);
	return value === undefined ? undefined : {value};
};

const understand = (code: string, value: unknown): Line => {
	switch (code) {
		case '0':
		case 'g':
			return typeof value === 'string'
				? {type: code === '0' ? 'text' : 'reasoning', text: value}
				: bad('not a string');
		case '3':
			// The protocol requires a string, but an error is shown in any form.
			return {type: 'error', text: typeof value === 'string' ? value : JSON.stringify(value)};
		case 'f': {
			const found = start.safeParse(value);
			return found.success ? {type: 'start', messageId: found.data.messageId} : bad('no messageId');
		}
		default: {
			const found = finish.safeParse(value);
			return found.success
				? {
						type: 'finish',
						code: code === 'd' ? 'd' : 'e',
						finishReason: found.data.finishReason,
						usage: found.data.usage,
					}
				: bad(NOT_FINISH);
		}
	}
};

/** Code before the first colon. Empty if it does not look like a code. */
const codeOf = (line: string): string => {
	const code = line.slice(0, Math.max(0, line.slice(0, 3).indexOf(':')));
	return CODE.test(code) ? code : '';
};

const parseLine = (line: string, code: string): Line => {
	if (code === '') return bad('no code');
	if (!/^[0g3fed]$/.test(code)) return {type: 'skipped', code};
	const json = jsonOf(line.slice(code.length + 1));
	return json === undefined ? bad('not JSON') : understand(code, json.value);
};

const endsInHalf = (text: string): boolean => /[\ud800-\udbff]/.test(text.at(-1) ?? '');

/**
 * Decodes an assistant's answer. Tolerates invalid lines, limits its size, takes linear time, and
 * accepts any chunk boundaries.
 */
export const createLineDecoder = ({
	maxLine = 16 << 20,
	maxTotal = 64 << 20,
	maxBad = 20,
}: DecoderLimits = {}) => {
	const utf8 = new TextDecoder();
	// Joined once at the line's end: `buffer += piece` would rescan the buffer for each piece.
	let pieces: string[] = [];
	let length = 0;
	let total = 0;
	let half = '';
	const badSamples: string[] = [];
	const skipped: Record<string, number> = {};
	const state = {
		/** Id in the first `f` line. */
		messageId: null as string | null,
		/** Reason in the `d` line, else in the last `e` line. */
		finishReason: null as string | null,
		usage: null as Usage | null,
		/**
		 * True after an `f`, `e` or `d` line. Such a stream is complete only if it has a `d` line.
		 */
		sawFrame: false,
		/** True after the `d` line. */
		done: false,
		/** Number of unreadable lines, with up to three samples `reason: first 80 characters`. */
		bad: 0,
		/** True if the body ended inside a line. */
		truncated: false,
		/** True if a line or the body exceeded its limit. The rest was not read. */
		tooLarge: false,
		/** Number of readable lines. */
		valid: 0,
	};
	/**
	 * True if decoding has stopped early, because the text is too long or more than `maxBad` lines
	 * are unreadable.
	 */
	const stopped = (): boolean => state.tooLarge || state.bad > maxBad;

	const text = (fragment: string): StreamEvent[] => {
		const whole = half + fragment;
		half = endsInHalf(whole) ? whole.slice(-1) : '';
		const ready = whole.slice(0, whole.length - half.length);
		return ready === '' ? [] : [{type: 'text', text: ready}];
	};

	const take = (raw: string, unfinished: boolean): StreamEvent[] => {
		const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
		if (line === '') return [];
		const code = codeOf(line);
		// Set even if the payload is unreadable, because without its `d` line such a stream is
		// incomplete.
		if (code === 'f' || code === 'e' || code === 'd') state.sawFrame = true;
		const parsed = parseLine(line, code);
		if (unfinished) state.truncated = jsonOf(line.slice(code.length + 1)) === undefined;
		if (parsed.type === 'bad') {
			state.bad++;
			// A `d` line without its fields still ends the answer.
			if (code === 'd' && parsed.reason === NOT_FINISH) state.done = true;
			if (badSamples.length < 3)
				badSamples.push(`${state.truncated ? 'truncated' : parsed.reason}: ${line.slice(0, 80)}`);
			return [];
		}
		if (parsed.type === 'skipped') {
			skipped[parsed.code] = (skipped[parsed.code] ?? 0) + 1;
			return [];
		}
		state.valid++;
		if (parsed.type === 'text') return text(parsed.text);
		if (parsed.type === 'start') state.messageId ??= parsed.messageId;
		if (parsed.type === 'finish') {
			if (parsed.code === 'd' || !state.done) {
				state.finishReason = parsed.finishReason ?? state.finishReason;
				state.usage = parsed.usage ?? state.usage;
			}
			state.done ||= parsed.code === 'd';
		}
		return [parsed];
	};

	/** Appends to the unfinished line. False if the line is too long. */
	const hold = (piece: string): boolean => {
		length += piece.length;
		state.tooLarge ||= length > maxLine;
		if (!state.tooLarge) pieces.push(piece);
		return !state.tooLarge;
	};

	const release = (unfinished: boolean): StreamEvent[] => {
		const line = pieces.join('');
		pieces = [];
		length = 0;
		return take(line, unfinished);
	};

	const feed = (decoded: string): StreamEvent[] => {
		const events: StreamEvent[] = [];
		let from = 0;
		for (let to = decoded.indexOf('\n'); to !== -1; to = decoded.indexOf('\n', from)) {
			if (!hold(decoded.slice(from, to))) return events;
			events.push(...release(false));
			if (stopped()) return events;
			from = to + 1;
		}
		if (from < decoded.length) hold(decoded.slice(from));
		return events;
	};

	return {
		/**
		 * Decodes a chunk. If its text ends in half of a surrogate pair, this half is held back
		 * until the next chunk.
		 */
		push(bytes: Uint8Array): StreamEvent[] {
			if (stopped()) return [];
			const allowed = bytes.subarray(0, maxTotal - total);
			total += allowed.length;
			const events = feed(utf8.decode(allowed, {stream: true}));
			// Set only after the allowed part was decoded, so that the result does not depend on
			// chunk boundaries.
			if (allowed.length < bytes.length && !stopped()) state.tooLarge = true;
			return events;
		},
		/**
		 * Ends the body. Decodes a last line without a line feed, and emits half of a surrogate
		 * pair if one was held back.
		 */
		end(): StreamEvent[] {
			const events: StreamEvent[] = [];
			if (!stopped()) events.push(...feed(utf8.decode()), ...release(true));
			if (half !== '') events.push({type: 'text', text: half});
			half = '';
			return events;
		},
		get summary() {
			return {
				...state,
				badSamples: badSamples as readonly string[],
				/** Number of skipped lines per unknown code. */
				skipped: skipped as Readonly<typeof skipped>,
				stopped: stopped(),
			};
		},
	};
};

export type LineDecoder = ReturnType<typeof createLineDecoder>;
export type StreamSummary = Readonly<LineDecoder['summary']>;
