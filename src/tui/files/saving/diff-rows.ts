import type {DiffLine} from '../../../text/columns/diff-lines.ts';
import {lineFrom} from '../../../text/safe.ts';
import {cellWidth, cut} from '../../../text/width/width.ts';
import {withScrollMark} from '../../core/components/position.ts';
import {widthFor} from '../../core/dialogs/dialog-box.tsx';
import {BESIDE_MARK} from '../../core/dialogs/scrolled.ts';
import {lastResult} from '../../core/store/last-result.ts';
import {glyph} from '../../core/theme/glyphs.ts';
import {paint, paintCode} from '../../core/theme/theme.ts';

/** Widest dialog with a difference, in cells. */
export const DIFF_WIDTH = 130;
/** Longest part of a line that is shown, in UTF-16 units. */
const LONGEST = 2000;

const plain = ({kind, text}: DiffLine, width: number): string =>
	kind === 'note' || kind === 'at'
		? text
		: cut(
				`${{same: ' ', added: '+', removed: '-'}[kind]} ${lineFrom(text.replace(/\r$/, '').slice(0, LONGEST), 0)}${text.endsWith('\r') ? '^M' : ''}`,
				width,
			);

const diffRow = (line: DiffLine, width: number): string => {
	const text = plain(line, width);
	if (line.kind === 'note') return paint('dim', text);
	if (line.kind === 'at')
		return paint(
			'dim',
			`${glyph.rule.repeat(2)} ${text} ${glyph.rule.repeat(Math.max(0, width - cellWidth(text) - 4))}`,
		);
	return line.kind === 'same' ? text : paintCode(line.kind, text);
};

/** Cached because each scroll key calls this function. */
const longestRow = lastResult((rows: readonly DiffLine[], width: number): string =>
	rows.reduce((longest, row) => {
		const text = plain(row, width);
		return cellWidth(text) > cellWidth(longest) ? text : longest;
	}, ''),
);

/** Width of a dialog with this difference and other lines: at most `most`, in cells. */
export const diffWidth = (
	title: string,
	rows: readonly DiffLine[],
	others: readonly string[],
	most = DIFF_WIDTH,
): number => widthFor(title, [longestRow(rows, most), ...others], most, BESIDE_MARK);

/**
 * The visible rows of a difference, `width` cells wide. If not all rows fit, the text is narrower
 * to make room for the scroll mark.
 */
export const diffRows = (
	rows: readonly DiffLine[],
	{from, height}: Readonly<Record<'from' | 'height', number>>,
	width: number,
): readonly string[] => {
	const room = rows.length > height ? width - BESIDE_MARK : width;
	return withScrollMark(
		rows.slice(from, from + height).map(row => diffRow(row, room)),
		{from, height, count: rows.length, width},
	);
};
