import {neededCells} from '../../text/python/cell-names.ts';
import {framesIn, type Frame} from '../../text/python/traceback.ts';
import {cutMiddle} from '../../text/cut-middle.ts';
import {errorOfCell} from '../cells/cell-text.ts';
import type {Cell} from '../cells/cell.ts';
import type {FramePacket, NeededPacket} from '../cells/error-packet.ts';
import {explainError} from '../cells/ports.ts';
import type {Reach} from '../core/app.ts';
import {namedPlaces} from './tree/named-places.ts';

/** Number of stack frames whose source lines are attached, counted from the innermost frame. */
const MOST_FRAMES = 4;
const LINES_AROUND = 15;
/** Number of earlier cells that are attached, and the maximum length of each in UTF-16 units. */
const MOST_CELLS = 8;
const MOST_OF_CELL = 6000;

/** A cell that ran before the failed one. */
export type EarlierCell = {readonly count: number | null; readonly source: string};

const neededOf = (earlier: readonly EarlierCell[], source: string): readonly NeededPacket[] =>
	neededCells([...earlier.map(each => each.source), source])
		.slice(-MOST_CELLS)
		.flatMap(({index, names}) => {
			const cell = earlier[index];
			return cell === undefined
				? []
				: [{cell: cell.count, source: cutMiddle(cell.source, MOST_OF_CELL), names}];
		});

const linesAround = async (get: Reach, server: string, {path, line}: Frame): Promise<FramePacket | null> => {
	if (path === null || line === null) return null;
	const file = await namedPlaces(get).findFile(server, path);
	const lines = file?.text.split('\n') ?? [];
	const first = Math.max(1, line - LINES_AROUND);
	return file === null || line > lines.length
		? null
		: {path: file.path, line, first, text: lines.slice(first - 1, line + LINES_AROUND).join('\n')};
};

/**
 * Collects everything that explains the error of a cell, and shows it to the user before sending.
 * `earlier`: the cells that ran before, in that order. Returns a sentence if the cell has no error.
 */
export const explainCell = (
	get: Reach,
	server: string,
	cell: Cell,
	earlier: readonly EarlierCell[],
): string | void => {
	const found = errorOfCell(cell);
	if (found === null) return 'The code of this cell raised no error: there is nothing to explain';
	const {error, traceback} = found;
	const {source} = cell;
	const frames = framesIn(traceback)
		.filter(({path, library}) => path !== null && library === null)
		.slice(0, MOST_FRAMES);
	void Promise.all(frames.map(async frame => linesAround(get, server, frame))).then(files =>
		explainError(get, {
			cell: cell.result?.execution_count ?? null,
			error,
			source,
			traceback,
			frames: files.filter(file => file !== null),
			needed: neededOf(earlier, source),
		}),
	);
};
