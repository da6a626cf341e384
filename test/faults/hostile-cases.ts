import fc from 'fast-check';
import {hostileString} from '../text/hostile-characters.ts';
import {HOSTILE_TEXTS} from '../text/hostile-text.ts';

/**
 * Real words and symbols with characters that are wide, combining, joined or right-to-left. None
 * may be lost or shift a column.
 */
export const WORDS: readonly string[] = [
	'表計算サーバー',
	'ｆｕｌｌｗｉｄｔｈ',
	'ﾊﾝｶｸﾞ',
	'한국어 서버',
	'각',
	'中文，标点。',
	'e\u0301te\u0301',
	'a\u0302\u0323b',
	'Việt Nam',
	'ภาษาไทย',
	'מחברת',
	'خادم الدفاتر',
	'abc אבג 123',
	'👩‍🚀',
	'👩🏽‍🚀 and 👨‍👩‍👧',
	'🇩🇪🇯🇵',
	'1️⃣2️⃣',
	'❤️ ☎︎ ☎️',
	'🏳️‍🌈 🏴',
	'🏽',
	'☃ ★ ①',
	'½ × ± µ',
	'—–…“”',
	'𝒙𝟙',
	'𠀋𠮷',
];

// The seed makes the texts the same in every run. The pieces come from the tests of the text
// functions.
const generated = fc
	.sample(hostileString(24), {seed: 20_261_120, numRuns: 48})
	.filter(text => text.trim() !== '');

const all = [...new Set([...HOSTILE_TEXTS.map(({text}) => text), ...generated, ...WORDS])];

/**
 * Characters for which terminals and the emulator disagree on the width, so the emulator's cells
 * prove nothing about a row with them. These are half-width sound marks and spacing vowel signs
 * (separate cells in most terminals), Arabic number signs, and an emoji that the emulator does not
 * know.
 */
export const DISPUTED = /[\uFF9E\uFF9F\u0600-\u0605\u{1FA89}]|\p{Spacing_Mark}/v;

/**
 * Every text once: the corpus, generated texts, and words of other scripts. Their widths are
 * undisputed.
 */
export const CASES: readonly string[] = all.filter(text => !DISPUTED.test(text));
/** Texts of disputed width. Only the surrounding rows must be in order. */
export const DISPUTED_CASES: readonly string[] = all.filter(text => DISPUTED.test(text));

/**
 * The texts in groups, so that few requests contain all of them. A group joins several texts with
 * spaces and has at most `longest` UTF-16 units; a longer text is a group of its own.
 */
export const packs = (longest: number): readonly string[] => {
	const found: string[] = [];
	let pack = '';
	for (const text of CASES) {
		if (pack !== '' && pack.length + 1 + text.length > longest) {
			found.push(pack);
			pack = '';
		}
		pack += pack === '' ? text : ` ${text}`;
	}
	return [...found, pack];
};
