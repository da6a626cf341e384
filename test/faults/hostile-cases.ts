import fc from 'fast-check';
import {hostileString} from '../text/hostile-characters.ts';
import {HOSTILE_TEXTS} from '../text/hostile-text.ts';

/**
 * Real words and signs with characters that are wide, combine, are joined or run from the right:
 * none may be lost or shift a column.
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

// The seed makes them equal in every run. The pieces are those of the text functions' own tests.
const generated = fc
	.sample(hostileString(24), {seed: 20_261_120, numRuns: 48})
	.filter(text => text.trim() !== '');

const all = [...new Set([...HOSTILE_TEXTS.map(({text}) => text), ...generated, ...WORDS])];

/**
 * Characters that terminals and the emulator measure differently, so that the emulator's cells
 * cannot judge a row with them: half-width sound marks and spacing vowel signs (a cell of their own
 * in most terminals), Arabic number signs, an emoji newer than the emulator.
 */
export const DISPUTED = /[\uFF9E\uFF9F\u0600-\u0605\u{1FA89}]|\p{Spacing_Mark}/v;

/**
 * Every text once: the corpus, generated texts, words of other scripts. Their widths are
 * undisputed.
 */
export const CASES: readonly string[] = all.filter(text => !DISPUTED.test(text));
/** The other texts: for these only the surrounding rows must stay in order. */
export const DISPUTED_CASES: readonly string[] = all.filter(text => DISPUTED.test(text));

/**
 * The texts in groups, so that few requests carry all of them. A group of several texts, joined by
 * spaces, has at most `longest` UTF-16 units.
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
