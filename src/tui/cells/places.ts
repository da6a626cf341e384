import {framesIn} from '../../text/python/traceback.ts';
import {referencesIn, type FilePlace} from '../../text/references.ts';
import {outputOfCell, tracebacksOf} from './cell-text.ts';
import type {Cell} from './cell.ts';

/** A position in a file. `code`: the line there; `isLibrary`: in code that is not the user's. */
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
 * Places that the outputs of a cell name, each once: the frames of its traceback, the innermost
 * first, then files in other text, then code of libraries.
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
 * The cell that a frame names. Counts repeat after a restart, and a cell may have been edited: a
 * cell that has the frame's line of code comes first, then the last one with its count.
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

/** Reason if a named cell is not in the view. */
export const noSuchCell = ({cell}: NamedCell): string =>
	`${cell === null ? 'This cell' : `Cell ${cell}`} is not among the cells here`;

/** Lines that stay in view above the named line. */
const ABOVE = 3;
/** Top row of the view, as a row of the cell, that shows the named line. */
export const rowShowing = ({line}: NamedCell): number => Math.max(0, line - 1 - ABOVE);
