import type {CodeField} from './code-field.ts';
import type {State} from '../../core/program.ts';
import {insert, type Editor} from '../../../text/editor/editor.ts';
import {PYTHON_KEYWORDS, pythonTokens} from '../../../text/python/python-tokens.ts';
import {label} from '../../../text/safe.ts';
import {kernelLookup} from '../kernels/names.ts';
import {notices} from '../../core/store/notices.ts';

/** Number of newest cells whose names are offered. */
const CELLS = 200;
const LISTED = 8;

const BUILTINS = (
	'abs all any ascii bin bool bytearray bytes callable chr classmethod complex delattr dict dir display divmod enumerate eval exec filter float format frozenset getattr globals hasattr hash help hex id input int ' +
	'isinstance issubclass iter len list locals map max memoryview min next object oct open ord pow print property range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip'
).split(' ');

/** Names in the code that ran, newest first, then Python's keywords and built-in functions. */
const namesOf = (sources: readonly string[]): ReadonlySet<string> => {
	const names = new Set<string>();
	for (const source of sources.slice(-CELLS).toReversed()) {
		for (const {kind, from, to} of pythonTokens(source))
			if (kind === 'name' || kind === 'definition') names.add(source.slice(from, to));
	}
	for (const name of [...PYTHON_KEYWORDS, ...BUILTINS]) names.add(name);
	return names;
};

export const commonStart = (words: readonly string[]): string => {
	let [start = ''] = words;
	for (const word of words) while (!word.startsWith(start)) start = start.slice(0, -1);
	return start.replace(/[\uD800-\uDBFF]$/, '');
};

/** Used names that complete the name before the cursor, and the position where that name starts. */
export const usedNames = (
	draft: Editor,
	sources: readonly string[],
): {readonly from: number; readonly names: readonly string[]} => {
	const typed = typedAt(beforeCursor(draft));
	return {
		from: draft.cursor - typed.length,
		names:
			typed === '' || typed.includes('.')
				? []
				: [...namesOf(sources)].filter(name => name.startsWith(typed) && name !== typed),
	};
};

/**
 * The start of a name before the cursor, with the object before its dot: `np.lin`, `np.` or `lin`.
 * Empty if there is none.
 */
const typedAt = (before: string): string => {
	const typed = NAME.exec(before.slice(-400))?.[0] ?? '';
	// The attributes of an index, a call or a literal are not known from names alone.
	return before.at(-typed.length - 1) === '.' ? '' : typed;
};

const NAME =
	/(?:[\p{ID_Start}_][\p{ID_Continue}]*\.)*[\p{ID_Start}_][\p{ID_Continue}]*$|(?:[\p{ID_Start}_][\p{ID_Continue}]*\.)+$/u;

const beforeCursor = ({text, cursor}: Editor): string => text.slice(0, cursor);

/**
 * Effect of Tab in an editor with this text before its cursor. Tab leaves the editor only if the
 * text is empty: otherwise the user's next letters would be commands of another pane. Returns a
 * sentence if Tab has no effect. `isLive`: a kernel can be asked, which completes more than names.
 */
export const tabIn = (
	before: string,
	isLive = false,
): 'next pane' | 'indent' | 'complete' | {readonly says: string} => {
	if (before === '') return 'next pane';
	if (/(?:^|\n)[ \t]*$/.test(before)) return 'indent';
	if (isLive || typedAt(before) !== '') return 'complete';
	return {
		says: /\.[\p{ID_Continue}]*$/u.test(before)
			? 'Only names can be completed, not the result of a call, an index or a string'
			: 'There is no name before the cursor to complete',
	};
};

type Completed = {readonly draft: Editor; readonly others: string | undefined};

const completed = (draft: Editor, typed: string, names: readonly string[]): Completed => {
	const rest = commonStart(names).slice(typed.length);
	const shown = names
		.slice(0, LISTED)
		.map(name => label(name.slice(typed.lastIndexOf('.') + 1), 40))
		.join('  ');
	return {
		draft: rest === '' ? draft : insert(draft, rest),
		others:
			names.length === 1
				? undefined
				: `${shown}${names.length > LISTED ? `, and ${names.length - LISTED} more` : ''}`,
	};
};

/**
 * Completes the name before the cursor by the common start of all matching names used so far, and
 * lists them. If no name matches, asks the kernel.
 */
export const complete = (get: () => State, field: CodeField): string | void => {
	const draft = field.typed(get());
	if (draft === null) return;
	const typed = typedAt(beforeCursor(draft));
	const put = ({draft: next, others}: Completed): string | void => {
		field.put(get(), next);
		return others;
	};
	const used = usedNames(draft, field.sources(get())).names;
	if (used.length > 0) return put(completed(draft, typed, used));
	void kernelLookup(get)
		.kernelNames(field, typed)
		.then(names => {
			// Discards the result if the text has changed since the request.
			if (field.typed(get()) !== draft) return;
			const fitting =
				typeof names === 'string' ? [] : names.filter(name => name.startsWith(typed) && name !== typed);
			const words =
				typeof names === 'string'
					? names
					: fitting.length === 0
						? `No names start with ${label(typed, 60)}`
						: put(completed(draft, typed, fitting));
			if (words !== undefined) notices(get).notify('info', words);
		});
};
