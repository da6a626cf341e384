import {cellWidth, fit} from '../../text/width.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';

/** `value` is safe text of one line; `shrink` columns give way, in order of their number, where the width is short. */
export type Column<T> = {
	readonly head: string;
	readonly value: (row: T) => string;
	/** Colours the padded cell. */
	readonly style?: (row: T, cell: string) => string;
	readonly right?: true;
	readonly max?: number;
	/** 1 is left out first. Columns without it are never left out. */
	readonly drop?: number;
};

const GAP = 3;
const MARK = 3;

/** Widths that fit `width` cells: the natural ones, then columns are left out by their `drop` number, then the widest shrink. */
const columnWidths = <T>(columns: readonly Column<T>[], rows: readonly T[], width: number): readonly number[] => {
	const natural = columns.map(column => rows.reduce((most, row) => Math.max(most, Math.min(cellWidth(column.value(row)), column.max ?? 40)), cellWidth(column.head)));
	const shown = [...natural];
	const total = (): number => shown.reduce((sum, each) => sum + (each > 0 ? each + GAP : 0), MARK - GAP + 1);
	const droppable = columns.map((column, index) => ({drop: column.drop, index})).filter(({drop}) => drop !== undefined).sort((a, b) => (a.drop ?? 0) - (b.drop ?? 0));
	for (const {index} of droppable) {
		if (total() <= width) break;
		shown[index] = 0;
	}
	while (total() > width) {
		const widest = shown.indexOf(Math.max(...shown));
		if ((shown[widest] ?? 0) <= 6) break;
		shown[widest] = (shown[widest] ?? 0) - 1;
	}
	return shown;
};

/** The rows in view as text. Widths are taken from `all`, so that nothing jumps while scrolling. */
export const tableLines = <T>(options: {
	readonly columns: readonly Column<T>[];
	readonly all: readonly T[];
	readonly from: number;
	readonly height: number;
	readonly cursor: number;
	readonly focused: boolean;
	readonly width: number;
	/** The rows are old: they could not be renewed. */
	readonly stale?: boolean;
}): {readonly head: string; readonly lines: readonly string[]} => {
	const {columns, all, from, height, cursor, focused, width, stale = false} = options;
	const widths = columnWidths(columns, all, width);
	const line = (cells: readonly string[], mark: string): string => `${mark}${cells.filter((_, index) => (widths[index] ?? 0) > 0).join(' '.repeat(GAP))}`;
	const head = line(columns.map((column, index) => fit(column.head, widths[index] ?? 0, column.right ? 'right' : 'left')), ' '.repeat(MARK));
	const lines = all.slice(from, from + height).map((row, offset) => {
		const isCursor = from + offset === cursor;
		const styled = !(isCursor && focused);
		const cells = columns.map((column, index) => {
			const cell = fit(column.value(row), widths[index] ?? 0, column.right ? 'right' : 'left');
			return styled && column.style ? column.style(row, cell) : cell;
		});
		const text = line(cells, isCursor ? ` ${glyph.cursor} ` : ' '.repeat(MARK));
		if (isCursor && focused) return paint('selected', fit(text, width));
		return stale ? paint('dim', text) : text;
	});
	return {head: paint('dim', head), lines};
};
