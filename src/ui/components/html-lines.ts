import {readHtml, type HtmlTable} from '../../text/html-text.ts';
import {block, label} from '../../text/safe.ts';
import {cellWidth, fit} from '../../text/width.ts';
import {wrap} from '../../text/wrap.ts';
import {paint} from '../theme/theme.ts';

const GAP = '  ';
const WIDEST = 40;
const NUMBER = /^[-+]?(?:[\d,_]*\.?\d+(?:e[-+]?\d+)?%?|nan|inf|none|nat|<na>)$/i;

type Shown = {readonly text: string; readonly isHead: boolean};
const MORE: Shown = {text: '…', isHead: false};

/** Columns from the left and from the right as many as fit, with `…` between them. */
const chosenColumns = (widths: readonly number[], width: number): readonly number[] => {
	const total = (columns: readonly number[]): number => columns.reduce((sum, column) => sum + (widths[column] ?? 1) + GAP.length, -GAP.length);
	const all = widths.map((_, column) => column);
	if (total(all) <= width) return all;
	let right = all.length - 1;
	let left = 0;
	const kept: number[] = [];
	for (let room = width - 1 - GAP.length; left <= right;) {
		const next = kept.length % 2 === 0 ? left : right;
		room -= (widths[next] ?? 1) + GAP.length;
		if (room < 0 && kept.length > 0) break;
		kept.push(next);
		if (next === left) left++;
		else right--;
	}
	return [...kept.filter(column => column < left), -1, ...kept.filter(column => column > right)].sort((one, other) => (one === -1 ? left : one) - (other === -1 ? left : other));
};

/** A table in aligned columns: numbers to the right, as a notebook shows them. What does not fit is told. */
const tableLines = ({rows, headRows}: HtmlTable, width: number): readonly string[] => {
	const count = Math.max(...rows.map(row => row.length));
	const shown = rows.map(row => Array.from({length: count}, (_, column): Shown => ({text: label(row[column]?.text ?? '', 400), isHead: row[column]?.isHead ?? false})));
	const widths = Array.from({length: count}, (_, column) => Math.min(WIDEST, Math.max(1, ...shown.map(row => cellWidth(row[column]?.text ?? '')))));
	const isRight = widths.map((_, column) => {
		const data = shown.slice(headRows).map(row => row[column]).filter(cell => cell !== undefined && !cell.isHead && cell.text !== '');
		return data.length > 0 && data.every(cell => NUMBER.test(cell?.text ?? ''));
	});
	const columns = chosenColumns(widths, width);
	const hidden = count - columns.filter(column => column >= 0).length;
	const lines = shown.map(row => {
		const cells = columns.map(column => {
			const {text, isHead} = column === -1 ? MORE : (row[column] ?? MORE);
			const cell = fit(text, Math.min(width, widths[column] ?? 1), isRight[column] ? 'right' : 'left');
			return isHead ? paint('heading', cell) : column === -1 ? paint('dim', cell) : cell;
		});
		return cells.join(GAP).trimEnd();
	});
	return hidden === 0 ? lines : [...lines, paint('dim', `… ${hidden} of ${count} columns do not fit here`)];
};

/** HTML as rows of at most `width` cells: its text, and its tables as text tables. */
export const htmlLines = (html: string, width: number): readonly string[] =>
	readHtml(html).flatMap(part => (part.kind === 'table' ? tableLines(part, width) : wrap(block(part.text), width)));

/** True when HTML holds a table, which plain text tells less well. */
export const holdsTable = (html: string): boolean => /<table\b/i.test(html);
