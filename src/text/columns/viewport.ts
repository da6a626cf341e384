import {PIECE, pieceCount, pieceStart, type LineIndex} from './line-index.ts';
import {cellWidth, slice} from '../width/width.ts';
import {wrapLine} from '../width/wrap.ts';

/**
 * Position of the first row in a window: line, piece of a long line, wrapped row within the piece.
 * All count from 0.
 */
export type TextPosition = {readonly line: number; readonly piece: number; readonly row: number};

export const TOP: TextPosition = {line: 0, piece: 0, row: 0};

export type ViewportText = {
	readonly index: LineIndex;
	/** Draws the part of a line between two offsets. `column`: column at which the part starts. */
	readonly draw: (line: number, from: number, to: number, column: number) => string;
};

export type Window = {
	/** Width of a row in cells. */
	readonly room: number;
	readonly height: number;
	readonly wrapped: boolean;
	/** Number of columns scrolled horizontally. 0 if lines are wrapped. */
	readonly left: number;
};

export type DrawnRow = {readonly line: number; readonly isFirst: boolean; readonly text: string};

const piecesOf = ({index}: ViewportText, line: number): number =>
	pieceCount(index.start(line), index.end(line));

/** Cache of wrapped rows, because most rows stay in view when scrolling. */
const wrapped = new WeakMap<ViewportText, Map<string, readonly string[]>>();
const KEPT_PIECES = 200;

const rowsOf = (sheet: ViewportText, line: number, piece: number, room: number): readonly string[] => {
	const known = wrapped.get(sheet) ?? new Map<string, readonly string[]>();
	wrapped.set(sheet, known);
	const key = `${line} ${piece} ${room}`;
	const {index, draw} = sheet;
	const start = index.start(line);
	const end = index.end(line);
	const rows =
		known.get(key) ??
		wrapLine(
			draw(line, pieceStart(index.text, start, end, piece), pieceStart(index.text, start, end, piece + 1), 0),
			room,
		);
	if (known.size >= KEPT_PIECES) known.clear();
	known.set(key, rows);
	return rows;
};

const isBefore = (one: TextPosition, other: TextPosition): boolean =>
	one.line !== other.line
		? one.line < other.line
		: one.piece !== other.piece
			? one.piece < other.piece
			: one.row < other.row;

const down = (sheet: ViewportText, {line, piece, row}: TextPosition, room: number): TextPosition | null => {
	if (row + 1 < rowsOf(sheet, line, piece, room).length) return {line, piece, row: row + 1};
	if (piece + 1 < piecesOf(sheet, line)) return {line, piece: piece + 1, row: 0};
	return line + 1 < sheet.index.count ? {line: line + 1, piece: 0, row: 0} : null;
};

const up = (sheet: ViewportText, {line, piece, row}: TextPosition, room: number): TextPosition | null => {
	if (row > 0) return {line, piece, row: row - 1};
	if (piece > 0) return {line, piece: piece - 1, row: rowsOf(sheet, line, piece - 1, room).length - 1};
	if (line === 0) return null;
	const last = piecesOf(sheet, line - 1) - 1;
	return {line: line - 1, piece: last, row: rowsOf(sheet, line - 1, last, room).length - 1};
};

const walk = (sheet: ViewportText, from: TextPosition, rows: number, room: number): TextPosition => {
	let place = from;
	for (let step = Math.abs(rows); step > 0; step--) {
		const next = rows > 0 ? down(sheet, place, room) : up(sheet, place, room);
		if (next === null) break;
		place = next;
	}
	return place;
};

/**
 * Lowest allowed first row, at which the last row of the text is at the bottom of the window. Lays
 * out the rows of one window only.
 */
export const lowestTop = (sheet: ViewportText, {room, height, wrapped: isWrapped}: Window): TextPosition => {
	const line = sheet.index.count - 1;
	if (!isWrapped) return {line: Math.max(0, line + 1 - height), piece: 0, row: 0};
	const piece = piecesOf(sheet, line) - 1;
	return walk(sheet, {line, piece, row: rowsOf(sheet, line, piece, room).length - 1}, 1 - height, room);
};

/** Limits a position to the text, at most to `lowestTop`, so that the window has no empty rows. */
export const clampTop = (sheet: ViewportText, place: TextPosition, window: Window): TextPosition => {
	if (!window.wrapped)
		return {line: Math.max(0, Math.min(place.line, sheet.index.count - window.height)), piece: 0, row: 0};
	const last = lowestTop(sheet, window);
	if (!isBefore(place, last)) return last;
	if (place.piece >= piecesOf(sheet, place.line)) return {line: place.line, piece: 0, row: 0};
	return {...place, row: Math.min(place.row, rowsOf(sheet, place.line, place.piece, window.room).length - 1)};
};

export const movedBy = (
	sheet: ViewportText,
	from: TextPosition,
	rows: number,
	window: Window,
): TextPosition => {
	if (!window.wrapped) return clampTop(sheet, {line: from.line + rows, piece: 0, row: 0}, window);
	return clampTop(sheet, walk(sheet, clampTop(sheet, from, window), rows, window.room), window);
};

/** Start columns of the pieces of each long line, as far as they have been measured. */
const measured = new WeakMap<LineIndex, Map<number, number[]>>();
const KEPT_LINES = 64;

const columnsOf = (index: LineIndex, line: number): number[] => {
	const lines = measured.get(index) ?? new Map<number, number[]>();
	measured.set(index, lines);
	const found = lines.get(line) ?? [0];
	// Moves the line to the end of the map, so that the least recently used line is dropped.
	lines.delete(line);
	lines.set(line, found);
	const oldest = lines.keys().next();
	if (lines.size > KEPT_LINES && oldest.done !== true) lines.delete(oldest.value);
	return found;
};

/** Row of an unwrapped line from column `left`. Measures a long line only once. */
const sideways = (sheet: ViewportText, line: number, left: number, room: number): string => {
	const {index, draw} = sheet;
	const start = index.start(line);
	const end = index.end(line);
	const pieces = pieceCount(start, end);
	if (pieces === 1) return slice(draw(line, start, end, 0), left, room);
	const columns = columnsOf(index, line);
	const pieceText = (piece: number): string =>
		draw(
			line,
			pieceStart(index.text, start, end, piece),
			pieceStart(index.text, start, end, piece + 1),
			columns[piece] ?? 0,
		);
	let piece = columns.findLastIndex(column => column <= left);
	for (; piece + 1 < pieces; piece++) {
		const next = columns[piece + 1] ?? (columns[piece] ?? 0) + cellWidth(pieceText(piece));
		columns[piece + 1] = next;
		if (next > left) break;
	}
	let shown = slice(pieceText(piece), left - (columns[piece] ?? 0), room);
	for (piece++; piece < pieces && (columns[piece] ?? 0) < left + room; piece++) {
		shown += slice(pieceText(piece), 0, left + room - (columns[piece] ?? 0));
		columns[piece + 1] ??= (columns[piece] ?? 0) + cellWidth(pieceText(piece));
	}
	return shown;
};

/** Rows of a window from a position that `clampTop` returned. Lays out only the rows in view. */
export const rowsFrom = (
	sheet: ViewportText,
	from: TextPosition,
	{room, height, wrapped: isWrapped, left}: Window,
): readonly DrawnRow[] => {
	const rows: DrawnRow[] = [];
	if (!isWrapped) {
		for (let line = from.line; line < sheet.index.count && rows.length < height; line++)
			rows.push({line, isFirst: true, text: sideways(sheet, line, left, room)});
		return rows;
	}
	let {line, piece, row} = from;
	while (line < sheet.index.count && rows.length < height) {
		for (const text of rowsOf(sheet, line, piece, room).slice(row, row + height - rows.length))
			rows.push({line, isFirst: piece === 0 && row++ === 0, text});
		row = 0;
		piece++;
		if (piece < piecesOf(sheet, line)) continue;
		piece = 0;
		line++;
	}
	return rows;
};

/** Column of an offset in its line. Measures the line up to the offset. */
export const columnOf = (sheet: ViewportText, line: number, offset: number): number => {
	const {index, draw} = sheet;
	const start = index.start(line);
	const end = index.end(line);
	const columns = columnsOf(index, line);
	let piece = 0;
	for (; ; piece++) {
		const to = pieceStart(index.text, start, end, piece + 1);
		if (offset < to || to >= end) break;
		columns[piece + 1] ??=
			(columns[piece] ?? 0) +
			cellWidth(draw(line, pieceStart(index.text, start, end, piece), to, columns[piece] ?? 0));
	}
	return (
		(columns[piece] ?? 0) +
		cellWidth(draw(line, pieceStart(index.text, start, end, piece), offset, columns[piece] ?? 0))
	);
};

/** Position of the row that shows an offset. */
export const placeOf = (
	sheet: ViewportText,
	line: number,
	offset: number,
	{room, wrapped: isWrapped}: Window,
): TextPosition => {
	if (!isWrapped) return {line, piece: 0, row: 0};
	const {index, draw} = sheet;
	const start = index.start(line);
	const end = index.end(line);
	let piece = Math.min(Math.floor((offset - start) / PIECE), piecesOf(sheet, line) - 1);
	while (piece > 0 && pieceStart(index.text, start, end, piece) > offset) piece--;
	const upTo = wrapLine(draw(line, pieceStart(index.text, start, end, piece), offset, 0), room);
	return {line, piece, row: Math.min(upTo.length, rowsOf(sheet, line, piece, room).length) - 1};
};

/**
 * Scrolls so that an offset is in view. If it was not, its row moves to the upper third of the
 * window.
 */
export const scrollToOffset = (
	sheet: ViewportText,
	top: TextPosition,
	offset: number,
	window: Window,
): {readonly top: TextPosition; readonly left: number} => {
	const line = sheet.index.lineAt(offset);
	const place = placeOf(sheet, line, offset, window);
	const from = clampTop(sheet, top, window);
	const isAbove = isBefore(place, from);
	const isBelow = !isAbove && !isBefore(place, movedFurther(sheet, from, window));
	const next = isAbove || isBelow ? movedBy(sheet, place, -Math.floor(window.height / 3), window) : from;
	if (window.wrapped) return {top: next, left: 0};
	const column = columnOf(sheet, line, offset);
	const isInView = column >= window.left && column < window.left + window.room - 8;
	return {
		top: next,
		left: isInView ? window.left : column < window.room - 8 ? 0 : column - Math.floor(window.room / 2),
	};
};

/** Position of the first row below the window. */
const movedFurther = (
	sheet: ViewportText,
	from: TextPosition,
	{room, height, wrapped: isWrapped}: Window,
): TextPosition =>
	isWrapped ? walk(sheet, from, height, room) : {line: from.line + height, piece: 0, row: 0};
