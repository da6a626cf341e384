import {framesIn} from '../../text/python/traceback.ts';
import {referencesIn, type FilePlace} from '../../text/references.ts';
import {outputOfCell, tracebacksOf} from './cell-text.ts';
import type {Cell} from './cell.ts';

/** A position in a file. `code`: text of that line; `isLibrary`: true if not the user's code. */
export type NamedFile = FilePlace & {readonly code?: string; readonly isLibrary?: true};

/** A line of a cell that a frame of a traceback names. */
export type NamedCell = {
	/** Execution count; null if the frame has none. */
	readonly cell: number | null;
	readonly line: number;
	readonly code: string;
};
export type NamedPlace = NamedFile | NamedCell;

/**
 * Positions that the outputs of a cell name, each once: first the frames of its traceback,
 * innermost first, then files named in other text, then code of libraries.
 */
export const placesIn = (cell: Pick<Cell, 'result'>): readonly NamedPlace[] => {
	const frames = tracebacksOf(cell).toReversed().flatMap(framesIn);
	const libraries = frames.filter(({library}) => library !== null);
	const named = new Map<string, NamedPlace>();
	const add = (id: string, place: NamedPlace): void => {
		if (!named.has(id)) named.set(id, place);
	};
	const addFrames = (which: typeof frames): void => {
		for (const {path, cell: count, line, code, library} of which) {
			if (line === null) continue;
			if (path === null) add(`cell ${count}:${line}`, {cell: count, line, code});
			else add(`${path}:${line}`, {path, line, code, ...(library !== null && {isLibrary: true})});
		}
	};
	addFrames(frames.filter(({library}) => library === null));
	const isOfLibrary = new Set(libraries.map(({path, line}) => `${path}:${line}`));
	for (const {path, line} of referencesIn(outputOfCell(cell)))
		if (!isOfLibrary.has(`${path}:${line}`)) add(`${path}:${line}`, {path, line});
	addFrames(libraries);
	return [...named.values()];
};

type Counted = {readonly source: string; readonly count: number | null};

/**
 * The cell that a frame names. Counts repeat after a restart, and cells may have been edited, so a
 * cell with the frame's line of code comes first, else the last cell with the frame's count.
 */
export const cellNamed = <C extends Counted>(
	cells: readonly C[],
	{cell, line, code}: NamedCell,
): C | undefined => {
	const counted = cell === null ? cells : cells.filter(({count}) => count === cell);
	const withCode = counted.findLast(
		({source}) => code !== '' && source.split('\n')[line - 1]?.trim() === code,
	);
	return withCode ?? (cell === null ? undefined : counted.at(-1));
};

/** Sentence for a named cell that the view does not contain. */
export const noSuchCell = ({cell}: NamedCell): string =>
	`${cell === null ? 'This cell' : `Cell ${cell}`} is not among the cells here`;

/** Number of lines that stay visible above the named line. */
const ABOVE = 3;
/** Index of the cell's row to scroll to, so that the named line is visible. */
export const rowShowing = ({line}: NamedCell): number => Math.max(0, line - 1 - ABOVE);
