import type {Repl} from '../../../store/cells.ts';
import {insert, type Editor} from '../../../text/editor.ts';
import {PYTHON_KEYWORDS, pythonTokens} from '../../../text/python-tokens.ts';

/** Newest cells whose names are offered. */
const CELLS = 200;
const LISTED = 8;

const BUILTINS = ('abs all any ascii bin bool bytearray bytes callable chr classmethod complex delattr dict dir display divmod enumerate eval exec filter float format frozenset getattr globals hasattr hash help hex id input int '
	+ 'isinstance issubclass iter len list locals map max memoryview min next object oct open ord pow print property range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip').split(' ');

/** Names of the code that was run, the newest first, then Python's own. */
const namesOf = ({history}: Repl): ReadonlySet<string> => {
	const names = new Set<string>();
	for (const source of history.slice(-CELLS).toReversed()) {
		for (const {kind, from, to} of pythonTokens(source)) if (kind === 'name' || kind === 'definition') names.add(source.slice(from, to));
	}
	for (const name of [...PYTHON_KEYWORDS, ...BUILTINS]) names.add(name);
	return names;
};

const commonStart = (words: readonly string[]): string => {
	let [start = ''] = words;
	for (const word of words) while (!word.startsWith(start)) start = start.slice(0, -1);
	return start;
};

/** The name before the cursor: what is typed of it, and what it is an attribute of (`np.lin` has the parts `np.` and `lin`). */
const wordAt = ({text, cursor}: Editor): string => /[\p{ID_Start}_][\p{ID_Continue}]*$/u.exec(text.slice(0, cursor))?.[0] ?? '';

/**
 * Completes the name before the cursor as far as the names used so far agree; `others` then lists them. A sentence says why nothing fits.
 * Null: there is no name before the cursor.
 */
export const completion = (repl: Repl): {readonly draft: Editor; readonly others: string | undefined} | string | null => {
	const {draft} = repl;
	const word = wordAt(draft);
	if (word === '') return null;
	const fitting = [...namesOf(repl)].filter(name => name.startsWith(word) && name !== word);
	// The word itself is among the names when it was used before.
	if (fitting.length === 0) return `No name used so far begins with ${word}`;
	const rest = commonStart(fitting).slice(word.length);
	const more = fitting.length > LISTED ? `, and ${fitting.length - LISTED} more` : '';
	return {draft: rest === '' ? draft : insert(draft, rest), others: fitting.length === 1 ? undefined : `${fitting.slice(0, LISTED).join('  ')}${more}`};
};
