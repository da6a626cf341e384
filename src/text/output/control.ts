/** Control sequence or character in program output. `end`: offset after it. */
export type Control = {readonly end: number} & (
	| {readonly kind: 'colour'; readonly parameters: string}
	| {readonly kind: 'erase'; readonly what: number}
	/**
	 * Moves the cursor `lines` lines down, or up if negative. `toStart`: also moves it to the start
	 * of the line.
	 */
	| {readonly kind: 'move'; readonly lines: number; readonly toStart: boolean}
	| {readonly kind: 'start' | 'back' | 'tab' | 'removed'}
);

const ESC = 0x1b;
const within = (unit: number, low: number, high: number): boolean => unit >= low && unit <= high;

// Loop instead of a regular expression: a greedy class overflows the regex stack on a sequence of a
// megabyte.
const skip = (text: string, from: number, low: number, high: number): number => {
	let at = from;
	while (at < text.length && within(text.charCodeAt(at), low, high)) at++;
	return at;
};

/**
 * Reads `CSI parameters intermediates final`. If the sequence is unterminated, only its introducer
 * is removed.
 */
const readCsi = (text: string, from: number): Control => {
	const parametersEnd = skip(text, from, 0x30, 0x3f);
	const final = skip(text, parametersEnd, 0x20, 0x2f);
	if (final >= text.length || !within(text.charCodeAt(final), 0x40, 0x7e))
		return {kind: 'removed', end: from};
	const end = final + 1;
	if (final > parametersEnd) return {kind: 'removed', end};
	const letter = text[final];
	const parameters = text.slice(from, parametersEnd);
	if (letter === 'm' && !/[<=>?]/.test(parameters)) return {kind: 'colour', parameters, end};
	if (letter === 'K' && /^[012]?$/.test(parameters)) return {kind: 'erase', what: Number(parameters), end};
	if (letter !== undefined && 'ABEF'.includes(letter) && /^\d{0,3}$/.test(parameters)) {
		const count = Math.max(1, Number(parameters));
		return {
			kind: 'move',
			lines: letter === 'A' || letter === 'F' ? -count : count,
			toStart: letter === 'E' || letter === 'F',
			end,
		};
	}
	return {kind: 'removed', end};
};

/**
 * Reads an OSC, DCS, SOS, PM or APC string up to its terminator, a cancel character or another
 * escape.
 */
const readString = (text: string, from: number, endsAtBell: boolean): Control => {
	for (let at = from; at < text.length; at++) {
		const unit = text.charCodeAt(at);
		if ((unit === 0x07 && endsAtBell) || unit === 0x9c || unit === 0x18 || unit === 0x1a)
			return {kind: 'removed', end: at + 1};
		if (unit === ESC) return {kind: 'removed', end: text[at + 1] === '\\' ? at + 2 : at};
	}

	return {kind: 'removed', end: text.length};
};

const readEscape = (text: string, at: number): Control => {
	const next = text[at + 1] ?? '';
	if (next === '[') return readCsi(text, at + 2);
	if (next !== '' && ']PX^_'.includes(next)) return readString(text, at + 2, next === ']');
	const final = skip(text, at + 1, 0x20, 0x2f);
	return {
		kind: 'removed',
		end: final < text.length && within(text.charCodeAt(final), 0x30, 0x7e) ? final + 1 : at + 1,
	};
};

/**
 * Reads the control at offset `at` of a line. Linear: reads each unit a bounded number of times.
 */
export const readControl = (line: string, at: number): Control => {
	const end = at + 1;
	switch (line.charCodeAt(at)) {
		case 0x08:
			return {kind: 'back', end};
		case 0x09:
			return {kind: 'tab', end};
		case 0x0d:
			return {kind: 'start', end};
		case ESC:
			return readEscape(line, at);
		case 0x9b:
			return readCsi(line, end);
		case 0x9d:
			return readString(line, end, true);
		case 0x90:
		case 0x98:
		case 0x9e:
		case 0x9f:
			return readString(line, end, false);
		default:
			return {kind: 'removed', end};
	}
};
