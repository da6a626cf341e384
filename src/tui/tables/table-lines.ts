import {AROUND_TITLE, BEFORE_TITLE, titleRule} from '../core/components/pane-title.ts';
import {columnFormatOf, shownField, shownName} from '../../text/table/column-format.ts';
import type {Table} from '../../text/table/table.ts';
import type {PlacedColumn} from '../../text/table/layout.ts';
import {formatWords} from '../../text/table/text-format.ts';
import {remoteIn} from '../../text/table/remote.ts';
import {label} from '../../text/safe.ts';
import {cellWidth, cut, fit} from '../../text/width/width.ts';
import {columnsRule} from '../core/components/columns-rule.ts';
import {filterMark} from '../core/components/filter-mark.ts';
import {keyFor} from '../core/keys/live-keys.ts';
import {glyph} from '../core/theme/glyphs.ts';
import {paint} from '../core/theme/theme.ts';
import {factLines} from './column-stats-lines.ts';
import {rowCount, type TableView} from './tables.ts';
import {tableRoom, type TableRoom} from './table-room.ts';

const counted = (count: number, what: string): string =>
	`${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;

/** Progress of a filter, of a sort, or of loading the rows; empty if none runs. */
const workText = ({work, table, known}: TableView): string => {
	if (work !== null)
		return `${work.what === 'sort' ? 'Sorting' : 'Filtering'} ${Math.floor(work.share * 100)}%`;
	const remote = remoteIn(table)?.state();
	if (remote) return remote.says;
	return table.complete ? '' : `Reading ${Math.floor(table.share * 100)}%: ${counted(known, 'row')}`;
};

/** Size of the table. If only a part was sent, also the size of the whole: `10 of 20,640 rows`. */
const sizeTexts = ({names, whole}: Table): readonly string[] => {
	if (!whole) return [counted(names.length, 'column')];
	const {rows, columns, shownRows, shownColumns} = whole;
	const isAllRows = rows !== null && rows <= shownRows;
	return [
		...(isAllRows
			? []
			: [
					rows === null
						? `${counted(shownRows, 'row')} of more`
						: `${shownRows.toLocaleString('en')} of ${counted(rows, 'row')}`,
				]),
		columns === null || columns <= shownColumns
			? counted(shownColumns, 'column')
			: `${shownColumns.toLocaleString('en')} of ${counted(columns, 'column')}`,
	];
};

/**
 * Number of `…` rows, each in place of omitted rows, among the first `count` rows. A sorted or
 * filtered table has none.
 */
const countGaps = ({table, rows}: TableView, count: number): number =>
	rows !== null || !table.whole || table.isGap === undefined
		? 0
		: Array.from({length: count}, (_, at) => table.isGap?.(at) === true).filter(Boolean).length;

/** Title line of the table, and the column of the cursor in its filter field, in cells. */
const titleLine = (
	view: TableView,
	width: number,
	isFiltering: boolean,
): {readonly text: string; readonly x: number} => {
	const {name, table, row, hidden, sort, filter} = view;
	const count = rowCount(view);
	const work = workText(view);
	const gaps = countGaps(view, count);
	const place = `${(count === 0 ? 0 : row + 1 - countGaps(view, row + 1)).toLocaleString('en')}/${(count - gaps).toLocaleString('en')}${table.complete ? '' : '…'}`;
	const known = table.whole?.shownRows ?? view.known;
	const isPart = view.rows !== null || remoteIn(table) !== null;
	const of = isPart && count !== known ? ` of ${known.toLocaleString('en')}` : '';
	const type = label(table.typeOf?.(view.column).name ?? '', 40);
	const said = [
		...sizeTexts(table),
		...formatWords(table),
		...(type === '' ? [] : [type]),
		...(hidden.size > 0 ? [`${hidden.size} hidden`] : []),
		...(sort === null
			? []
			: [
					`sorted by ${label(shownName(table, sort.column), 30)} ${sort.direction === 'up' ? glyph.up : glyph.down}`,
				]),
	].join(` ${glyph.other} `);
	const right = work === '' ? `${place}${of}` : `${paint('busy', work)}  ${place}${of}`;
	const mark = filterMark({filter}, isFiltering);
	const room = width - cellWidth(right) - cellWidth(mark.text) - AROUND_TITLE;
	const left = cut(
		` ${paint('heading', label(name, Math.max(12, room - cellWidth(said) - 6)))}  ${paint('dim', said)}`,
		Math.max(8, room),
	);
	return {
		text: fit(titleRule({left: `${left}${mark.text} `, right, focused: true, width}), width),
		x: BEFORE_TITLE + cellWidth(left) + mark.x,
	};
};

/** Fields of a row, each placed at its column. `highlight` colours a padded field. */
const rowText = (
	{layout: {placed}, width}: TableRoom,
	textOf: (column: PlacedColumn) => string,
	isRight: (column: number) => boolean,
	highlight: (text: string, column: number) => string,
): string => {
	let line = '';
	let end = 0;
	for (const each of placed) {
		const {column, x, width: room} = each;
		line +=
			' '.repeat(x - end) + highlight(fit(textOf(each), room, isRight(column) ? 'right' : 'left'), column);
		end = x + room;
	}
	return line + ' '.repeat(Math.max(0, width - end));
};

const emptyLine = (view: TableView, isFiltering: boolean): string =>
	view.table.names.length === 0
		? 'This file is empty.'
		: view.filter.text !== ''
			? `No rows match. ${keyFor(isFiltering ? 'tableFilter.leave' : 'tableRows.showAll')} clears the filter.`
			: 'This table has a header but no rows.';

/**
 * The table as lines as wide as `width`. `x`: column of the cursor in the filter field, in cells.
 */
export const tableLines = (
	view: TableView,
	width: number,
	height: number,
	isFiltering = false,
): {readonly lines: readonly string[]; readonly x: number} => {
	const room = tableRoom(view, {width, height});
	const {table, column: cursor, sort} = view;
	const isRight = (column: number): boolean => columnFormatOf(table, column).isNumber;
	const title = titleLine(view, width, isFiltering);
	const blank = ' '.repeat(room.numbers);
	const head = rowText(
		room,
		({column, width: cells}) =>
			sort?.column === column
				? `${cut(shownName(table, column), Math.max(1, cells - 2))} ${sort.direction === 'up' ? glyph.up : glyph.down}`
				: shownName(table, column),
		isRight,
		(text, column) => paint(column === cursor ? 'accent' : 'heading', paint('heading', text)),
	);
	const rows = room.rows.map((at, offset) => {
		const fields = table.row(at);
		const isHere = room.top + offset === view.row;
		const number =
			room.numbers === 0
				? ''
				: paint(isHere ? 'own' : 'dim', `${String(at + 1).padStart(room.numbers - 2)}  `);
		const text = rowText(
			room,
			({column}) => shownField(fields[column] ?? ''),
			isRight,
			(field, column) =>
				isHere && column === cursor
					? paint('selected', field)
					: column < table.index
						? paint('heading', field)
						: field,
		);
		return `${isHere ? paint('accent', glyph.cursor) : ' '}${number}${text} `;
	});
	const body = rows.length > 0 ? rows : [paint('dim', `   ${emptyLine(view, isFiltering)}`)];
	const left = [
		` ${blank}${head} `,
		columnsRule(room.layout, width - room.side),
		...body,
		...Array.from({length: Math.max(0, room.height - body.length)}, () => ''),
	];
	const side = room.side === 0 ? [] : factLines(view, room.side - 3, left.length);
	return {
		lines: [
			title.text,
			...left.map((line, at) =>
				room.side === 0
					? fit(line, width)
					: `${fit(line, width - room.side)}${paint('rule', glyph.divider)} ${fit(side[at] ?? '', room.side - 3)} `,
			),
		],
		x: title.x,
	};
};
