import type {LiveCompletion} from '../../../api/client-types.ts';
import type {Editor} from '../../../text/editor/editor.ts';
import {replace} from '../../../text/editor/state.ts';
import {label} from '../../../text/safe.ts';
import {commonStart} from './completion.ts';

export type Candidate = LiveCompletion['words'][number];

/** What may stand where the cursor is. */
export type Menu = {
	/** What stands before the text that is replaced, what was typed of that when it was asked, and what stands behind the cursor. */
	readonly before: string;
	readonly typed: string;
	readonly behind: string;
	/** UTF-16 units behind the cursor that are replaced too. */
	readonly taken: number;
	readonly all: readonly Candidate[];
	/** Those that go on from what is typed by now. */
	readonly fitting: readonly Candidate[];
	readonly at: number;
};

const LONGEST = 300;

/** What would not be shown as it is is not put in either: it comes from outside. */
const isPlain = ({text}: Candidate): boolean =>
	text !== '' && text.length <= LONGEST && label(text, LONGEST) === text;

const isMagic = ({text}: Candidate): boolean => text.startsWith('%');

/** Magics are for the start of a line; where no percent sign is typed they come last. */
const inPlace = (words: readonly Candidate[], line: string, typed: string): readonly Candidate[] => {
	if (typed.startsWith('%')) return words;
	const names = words.filter(word => !isMagic(word));
	return /^\s*$/.test(line) || names.length === 0 ? [...names, ...words.filter(isMagic)] : names;
};

/** Of a magic the percent signs may be left out, and the kernel may think nothing of capitals. */
const goesOn = (text: string, typed: string): boolean => {
	const [word, start] = [text.toLowerCase(), typed.toLowerCase()];
	return word.startsWith(start) || word.replace(/^%+/, '').startsWith(start);
};

/** What is typed of the candidates by now; null when the text or the cursor is elsewhere. */
const typedIn = ({before, typed, behind}: Menu, {text, cursor}: Editor): string | null => {
	if (cursor < before.length || !text.startsWith(before) || text.slice(cursor) !== behind) return null;
	const now = text.slice(before.length, cursor);
	return now.startsWith(typed) ? now : null;
};

/** The menu after the text has changed: narrower, or none where the change is not about it. */
export const followed = <Open extends Menu>(menu: Open, draft: Editor): Open | null => {
	const typed = typedIn(menu, draft);
	if (typed === null) return null;
	const fitting = menu.all.filter(({text}) => goesOn(text, typed));
	const [only] = fitting;
	if (only === undefined || (fitting.length === 1 && only.text === typed)) return null;
	if (fitting.length === menu.fitting.length) return menu;
	return {...menu, fitting, at: 0};
};

/** The text with the candidate under the cursor of the menu. */
export const accepted = ({before, taken, fitting, at}: Menu, draft: Editor): Editor =>
	replace(draft, before.length, draft.cursor + taken, fitting[at]?.text ?? '');

/** What an answer does: it goes on as far as all agree, and opens a menu where there are several. Null: nothing fits. */
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
