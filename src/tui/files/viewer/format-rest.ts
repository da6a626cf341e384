// Formats the rest of a long notebook when a key scrolls far down. Works step by step, so that keys
// are not delayed.
import type {FileEntry} from '../../../contract/files.ts';
import {withoutColours} from '../../../text/width/width.ts';
import {currentAppearance} from '../../core/theme/theme.ts';
import {nextTurn} from './finder.ts';
import {rowsOfCell, type NotebookFormatter, type Notebook} from '../../cells/rows/read-notebook.ts';

/** Time after which the formatting pauses to handle keys, in ms. */
const SLICE = 8;

const texts = new WeakMap<readonly string[], string>();

/**
 * The rows of a cell as one text without colours. Cached by the array of rows, which is the same
 * object while the cell is unchanged.
 */
export const textOfRows = (rows: readonly string[]): string => {
	const text = texts.get(rows) ?? rows.map(withoutColours).join('\n');
	texts.set(rows, text);
	return text;
};

const laid = new WeakMap<FileEntry, readonly unknown[]>();
const keyOf = ({width, pictureStyle, markdown}: NotebookFormatter): readonly unknown[] => [
	width,
	pictureStyle,
	markdown,
	currentAppearance(),
];

/**
 * True if all cells of a file were formatted with these options. Their rows are cached then, and
 * joining them takes less than a frame.
 */
export const isFullyFormatted = (file: FileEntry, options: NotebookFormatter): boolean => {
	const known = laid.get(file);
	return known !== undefined && keyOf(options).every((each, index) => each === known[index]);
};

/** Formats all cells; stops early if `isWanted` returns false. */
export const formatRest = async (
	file: FileEntry,
	notebook: () => Notebook,
	options: NotebookFormatter,
	isWanted: () => boolean,
): Promise<void> => {
	const key = keyOf(options);
	let from = performance.now();
	for (let at = 0; at < notebook().cells.length; at++) {
		if (performance.now() - from > SLICE) {
			await nextTurn();
			if (!isWanted()) return;
			from = performance.now();
		}
		const cell = notebook().cells[at];
		if (cell !== undefined) textOfRows(rowsOfCell(cell, options));
	}
	laid.set(file, key);
};
