import {KIND, kindOf} from '../width/character-kind.ts';
import {codePoint} from '../width/code-point.ts';

const MAX_MARKS = 4;
// The longest emoji in use joins four persons, with three joiners.
const MAX_JOINERS = 4;

const needsLook = /[^\u0020-\u007e]/;

/** Visible form of a control, invisible or invalid character: `^A`, `<9b>`, `<U+200B>`, U+FFFD. */
const written = (point: number): string => {
	if (point < 0x20) return `^${String.fromCharCode(point + 0x40)}`;
	if (point === 0x7f) return '^?';
	if (point >= 0x80 && point <= 0x9f) return `<${point.toString(16)}>`;
	if (point >= 0xd800 && point <= 0xdfff) return '\ufffd';
	return `<U+${point.toString(16).toUpperCase().padStart(4, '0')}>`;
};

/** Letters that combine with the preceding character: Thai and Lao AM, half-width sound marks. */
const joinsBefore = (point: number): boolean =>
	point === 0xe33 || point === 0xeb3 || point === 0xff9e || point === 0xff9f;

const isKeycapBase = (point: number): boolean =>
	(point >= 0x30 && point <= 0x39) || point === 0x23 || point === 0x2a;

/**
 * True if the character before `at` can have a skin tone. Needed because Unicode joins a skin tone
 * to any preceding character.
 */
const takesModifier = (text: string, at: number): boolean =>
	/\p{Emoji_Modifier_Base}$/u.test(text.slice(Math.max(0, at - 2), at));

/**
 * Makes every character of a line visible and harmless to the terminal. Writes out all controls,
 * including tabs and line ends. Drops marks beyond four on one character. A mark without a base
 * character gets a dotted circle. A result longer than `max` UTF-16 units is cut and ends in `…`.
 * Linear; accepts lone surrogates; idempotent.
 */
export const reveal = (text: string, max = Infinity): string => {
	if (text.length <= max && !needsLook.test(text)) return text;
	let out = '';
	let kept = 0;
	let marks = 0;
	let joiners = 0;
	let hasBase = false;
	let isEmoji = false;
	let takesSelector = false;
	for (let at = 0, next = 0; at < text.length; at = next) {
		const point = codePoint(text, at);
		next = at + (point > 0xffff ? 2 : 1);
		const kind = kindOf(point);
		let shown: string | undefined;
		if (kind === KIND.plain || kind === KIND.emoji) {
			const isJoined = at > 0 && kept < at && text.charCodeAt(at - 1) === 0x200d;
			if (kind === KIND.plain || !isJoined) joiners = 0;
			if (!hasBase && joinsBefore(point)) shown = `\u25cc${String.fromCodePoint(point)}`;
			marks = 0;
			hasBase = true;
			isEmoji = kind === KIND.emoji;
			takesSelector = isEmoji || isKeycapBase(point);
		} else if (kind === KIND.mark) {
			marks++;
			if (marks > MAX_MARKS) shown = '';
			else if (!hasBase) shown = `\u25cc${String.fromCodePoint(point)}`;
			hasBase = true;
			isEmoji = false;
			takesSelector = false;
		} else if (kind === KIND.modifier && takesSelector && takesModifier(text, at)) {
			takesSelector = false;
		} else if (kind === KIND.selector && takesSelector) {
			takesSelector = false;
		} else if (
			kind === KIND.joiner &&
			isEmoji &&
			joiners < MAX_JOINERS &&
			next < text.length &&
			kindOf(codePoint(text, next)) === KIND.emoji
		) {
			joiners++;
			takesSelector = false;
		} else {
			shown = written(point);
			marks = 0;
			joiners = 0;
			hasBase = kind === KIND.broken;
			isEmoji = false;
			takesSelector = false;
		}

		const size = out.length + (at - kept) + (shown?.length ?? next - at);
		if (size > max) return `${out}${text.slice(kept, at)}`.replace(/\u200d$/, '') + '…';
		if (shown === undefined) continue;
		out += text.slice(kept, at) + shown;
		kept = next;
	}

	return kept === 0 ? text : out + text.slice(kept);
};
