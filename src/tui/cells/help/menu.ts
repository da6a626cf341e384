import type {LiveCompletion} from '../../../api/client-types.ts';
import type {Editor} from '../../../text/editor/editor.ts';
import {replace} from '../../../text/editor/state.ts';
import {label} from '../../../text/safe.ts';
import {commonStart} from './completion.ts';

export type Candidate = LiveCompletion['words'][number];

/** Candidates for the text at the cursor. */
export type Menu = {
	/**
	 * `before`: text before the replaced part. `typed`: that part at the time of the request.
	 * `behind`: text after the cursor.
	 */
	readonly before: string;
	readonly typed: string;
	readonly behind: string;
	/** Number of UTF-16 units after the cursor that a candidate replaces too. */
	readonly taken: number;
	readonly all: readonly Candidate[];
	/** Candidates that start with the currently typed text. */
	readonly fitting: readonly Candidate[];
	readonly at: number;
};

const LONGEST = 300;

/** True if a candidate, which comes from outside, is safe to show and insert unchanged. */
const isPlain = ({text}: Candidate): boolean =>
	text !== '' && text.length <= LONGEST && label(text, LONGEST) === text;

const isMagic = ({text}: Candidate): boolean => text.startsWith('%');

/**
 * Moves IPython's magics to the end, and omits them after code on the same line. Changes nothing if
 * the user typed a percent sign.
 */
const inPlace = (words: readonly Candidate[], line: string, typed: string): readonly Candidate[] => {
	if (typed.startsWith('%')) return words;
	const names = words.filter(word => !isMagic(word));
	return /^\s*$/.test(line) || names.length === 0 ? [...names, ...words.filter(isMagic)] : names;
};

/** True if a candidate starts with the typed text, ignoring case and a magic's percent signs. */
const goesOn = (text: string, typed: string): boolean => {
	const [word, start] = [text.toLowerCase(), typed.toLowerCase()];
	return word.startsWith(start) || word.replace(/^%+/, '').startsWith(start);
};

/** Part of a candidate typed so far; null if the text around it or the cursor has changed. */
const typedIn = ({before, typed, behind}: Menu, {text, cursor}: Editor): string | null => {
	if (cursor < before.length || !text.startsWith(before) || text.slice(cursor) !== behind) return null;
	const now = text.slice(before.length, cursor);
	return now.startsWith(typed) ? now : null;
};

/**
 * The menu after a change of the text, with the candidates that still fit. Null if none is left to
 * choose, or if the text has changed elsewhere.
 */
export const followed = <Open extends Menu>(menu: Open, draft: Editor): Open | null => {
	const typed = typedIn(menu, draft);
	if (typed === null) return null;
	const fitting = menu.all.filter(({text}) => goesOn(text, typed));
	const [only] = fitting;
	if (only === undefined || (fitting.length === 1 && only.text === typed)) return null;
	if (fitting.length === menu.fitting.length) return menu;
	return {...menu, fitting, at: 0};
};

/** The text with the selected candidate inserted. */
export const accepted = ({before, taken, fitting, at}: Menu, draft: Editor): Editor =>
	replace(draft, before.length, draft.cursor + taken, fitting[at]?.text ?? '');

/**
 * The effect of received completions: inserts their common prefix, and opens a menu for several
 * candidates. Null if no candidate fits.
 */
export const opened = (
	draft: Editor,
	{from, to, words}: LiveCompletion,
): {readonly draft: Editor; readonly menu: Menu | null} | null => {
	const {text, cursor} = draft;
	if (from > cursor) return null;
	const end = Math.min(Math.max(to, cursor), text.length);
	const typed = text.slice(from, cursor);
	const line = text.slice(text.lastIndexOf('\n', from - 1) + 1, from);
	const all = inPlace(words.filter(isPlain), line, typed);
	const [only] = all;
	if (only === undefined || (all.length === 1 && only.text === text.slice(from, end))) return null;
	if (all.length === 1) return {draft: replace(draft, from, end, only.text), menu: null};
	const start = commonStart(all.map(each => each.text));
	const next =
		start.length > typed.length && start.startsWith(typed) ? replace(draft, from, cursor, start) : draft;
	return {
		draft: next,
		menu: {
			before: text.slice(0, from),
			typed: next.text.slice(from, next.cursor),
			behind: text.slice(cursor),
			taken: end - cursor,
			all,
			fitting: all,
			at: 0,
		},
	};
};
