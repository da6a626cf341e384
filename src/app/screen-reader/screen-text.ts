// Text of dialogs and screens as drawn.
import {bodyOf} from '../../tui/core/frame/layout.ts';
import {keyPath} from '../../tui/core/keys/scopes.ts';
import type {State} from '../../tui/core/program.ts';
import {isClosed, isPane} from '../../tui/core/features.ts';
import {rowAsSentence, isBad, isChosen, plain, type Area} from './frame.ts';
import {cellInWords, fileInWords, keysInWords, rowInWords, type RowInWords} from './descriptions.ts';

/** Size of the invisible screen, large enough for most dialogs and texts. */
export const SIZE = {columns: 99, rows: 48} as const;

const NO_ROW: RowInWords = {id: '', words: ''};
/** Number of rows above the first row of a list. */
const HEADS: Partial<Readonly<Record<State['screen'], number>>> = {
	servers: 2,
	compute: 5,
	environments: 2,
	files: 1,
};

export type SpokenView = {
	readonly state: State;
	readonly rows: readonly string[];
	readonly cursor: {x: number; y: number} | null;
};

const BODY = bodyOf(SIZE.columns, SIZE.rows);

export const bodyArea = (rows: readonly string[]): Area => ({
	title: '',
	rows: rows.slice(BODY.y, BODY.y + BODY.height),
	x: BODY.x,
	y: BODY.y,
});

/**
 * Text of a dialog: everything in a question or message, the row under the cursor in a list, and
 * problems in a form.
 */
export const dialogLines = (
	{state, cursor}: Pick<SpokenView, 'state' | 'cursor'>,
	area: Area,
	isNew: boolean,
): {lines: string[]; row: RowInWords} => {
	const {scopes, text} = keyPath(state);
	const typed = cursor === null ? -1 : cursor.y - area.y;
	const others = area.rows.filter((_, index) => index !== typed);
	const words = others.filter(isChosen).map(rowAsSentence).join(' ');
	const row = {id: words, words};
	const dialog = state.dialogs.at(-1);
	if (dialog?.kind === 'help' && !dialog.isWhole && isNew)
		return {lines: [...keysInWords(state)], row: NO_ROW};
	const lines =
		scopes[0] === 'chooser'
			? words === ''
				? others.map(rowAsSentence)
				: []
			: others.filter(each => !isChosen(each) && (!text || isBad(each))).map(rowAsSentence);
	return {lines: lines.filter(line => line !== ''), row};
};

/** Text of a screen without a dialog. `exact`: lines announced whenever they come into view. */
export const screenLines = ({
	state,
	rows,
}: SpokenView): {lines: readonly string[]; row: RowInWords; exact: readonly string[]} => {
	const body = bodyArea(rows).rows;
	const row = rowInWords(state);
	/** Leaves out work in progress, which is announced once it has ended. */
	const sentences = (from: number): readonly string[] =>
		body
			.slice(from)
			.map(rowAsSentence)
			.filter(line => !line.endsWith('…'));
	const inView = (from: number): readonly string[] => body.slice(from).map(each => plain(each).trimEnd());
	if (isPane(state.screen) && isClosed(state)) return {lines: sentences(0), row: NO_ROW, exact: []};
	const part = isPane(state.screen) ? state.paneFocus[state.screen] : undefined;
	if (part === 'cells') {
		const words = cellInWords(state).join('\n');
		return {lines: [], row: {id: words, words}, exact: []};
	}
	if (part === 'turns') return {lines: [], row: NO_ROW, exact: inView(1)};
	if (part === 'viewer') {
		const file = fileInWords(state, BODY);
		if (file === null) return {lines: sentences(0), row: NO_ROW, exact: []};
		return {lines: [file.title], row: NO_ROW, exact: file.lines ?? inView(1)};
	}
	if (row !== undefined || part === 'repl' || part === 'assistant')
		return {lines: [], row: row ?? NO_ROW, exact: []};
	return {lines: sentences(HEADS[state.screen] ?? 0), row: NO_ROW, exact: []};
};
