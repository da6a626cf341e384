import {label} from '../../../text/safe.ts';
import {cellWidth, fit} from '../../../text/width/width.ts';
import {wrap} from '../../../text/width/wrap.ts';

type Choice = {readonly text: string; readonly note?: string};

export type RowStyle = {
	/** Width of a row in cells; the last one is for the scroll mark. */
	readonly width: number;
	/** True if long rows are cut. */
	readonly cutsRows: boolean;
	/** Column at which aligned notes start; 0 if notes are right-aligned. */
	readonly column: number;
};

const LONGEST_NOTE = 100;
const GAP = 2;

/**
 * Column at which the notes start: after the longest text with a note, but no later than the
 * longest note allows, or 60 % of the width if that is more.
 */
export const noteColumn = (choices: readonly Choice[], width: number): number => {
	const notes = choices.reduce(
		(most, {note = ''}) => Math.max(most, cellWidth(label(note, LONGEST_NOTE))),
		0,
	);
	const room = Math.max(Math.floor(width * 0.6), width - notes - 1);
	return choices.reduce(
		(most, {text, note = ''}) =>
			note === '' ? most : Math.max(most, Math.min(cellWidth(label(text, 300)) + 1 + GAP, room)),
		0,
	);
};

const beside = ({text, note = ''}: Choice, {width, column}: RowStyle): readonly string[] =>
	wrap(label(note, LONGEST_NOTE), width - column - 1).map((line, at) =>
		fit(`${fit(at === 0 ? ` ${label(text, 300)}` : '', column - GAP)}${' '.repeat(GAP)}${line}`, width),
	);

/** Choice as rows of a list, with its note in a column, or at the right end of its last row. */
export const choiceRows = (choice: Choice, style: RowStyle): readonly string[] => {
	const {width, cutsRows, column} = style;
	const note = label(choice.note ?? '', LONGEST_NOTE);
	// A text that is too long for its column gets rows of its own, so that nothing is cut.
	if (note !== '' && cellWidth(label(choice.text, 300)) + 1 + GAP <= column) return beside(choice, style);
	const room = Math.max(8, width - cellWidth(note) - GAP);
	const whole = ` ${label(choice.text, 300)}`;
	const isOne = cutsRows || cellWidth(whole) <= room;
	const rows = isOne ? [whole] : wrap(whole, width - 1, {hang: 3});
	const last = rows.at(-1) ?? '';
	const isBeside = isOne || cellWidth(last) <= room;
	return [
		...(isBeside ? rows.slice(0, -1) : rows).map(row => fit(row, width)),
		`${fit(isBeside ? last : '', room)} ${note} `,
	];
};
