import {AROUND_TITLE, BEFORE_TITLE, titleRule} from '../../core/components/pane-title.ts';
import {shapeText} from '../../../api/kernel-data/reply-text.ts';
import {label} from '../../../text/safe.ts';
import {cellWidth, cut, fit} from '../../../text/width/width.ts';
import {UNKNOWN} from '../../../text/known.ts';
import {bytesText, sizeText} from '../../../text/size.ts';
import {filterMark} from '../../core/components/filter-mark.ts';
import {positionText, withScrollMark} from '../../core/components/position.ts';
import {windowAround} from '../../core/components/scroll.ts';
import {tableLines, type Column} from '../../core/components/table.ts';
import {keyFor} from '../../core/keys/live-keys.ts';
import {glyph} from '../../core/theme/glyphs.ts';
import {paint} from '../../core/theme/theme.ts';
import {documentName} from '../kernels/owner.ts';
import {cursorAt, shownVariables, type Variable, type VariableList} from './variables.ts';

/** Rows above the variables: title, headers. */
const HEAD_ROWS = 2;

const columns: readonly Column<Variable>[] = [
	{head: 'NAME', value: ({name}) => label(name, 60), max: 24, least: 12},
	{head: 'TYPE', value: ({type}) => label(type, 40), max: 24, least: 8},
	{head: 'SHAPE', value: shapeText, right: true, max: 24},
	{head: 'SIZE', value: ({size}) => (size === null ? UNKNOWN : sizeText(size)), right: true},
	{head: 'VALUE', value: ({value}) => label(value, 100), max: 100, least: 10, isMinor: true},
];

export const variableRoom = (height: number): number => Math.max(1, height - HEAD_ROWS);

const emptyText = (list: VariableList): string => {
	if (list.rows === null) return list.says ?? 'Reading the variables …';
	return list.filter.text === ''
		? 'The kernel holds no variables yet.'
		: `No variables match. ${keyFor('variables.showAll')} clears the filter.`;
};

const titleLine = (list: VariableList, width: number, isFiltering: boolean) => {
	const shown = shownVariables(list);
	const {rows, total, says} = list;
	const bytes = rows?.reduce((sum, {size}) => sum + (size ?? 0), 0) ?? 0;
	const facts =
		rows === null
			? []
			: [
					`${total.toLocaleString('en')} variable${total === 1 ? '' : 's'}`,
					...(rows.length < total ? [`the largest ${rows.length.toLocaleString('en')}`] : []),
					bytesText(bytes),
				];
	const mark = filterMark(list, isFiltering);
	const place = positionText(cursorAt(list), shown.length);
	const busy = says === null || rows === null ? '' : `${paint('busy', label(says, 60))}  `;
	const right = `${busy}${place}`;
	const left = cut(
		` ${paint('heading', `Variables of ${documentName(list.document)}`)}  ${paint('dim', facts.join(` ${glyph.other} `))}`,
		Math.max(8, width - cellWidth(right) - cellWidth(mark.text) - AROUND_TITLE),
	);
	return {
		text: fit(titleRule({left: `${left}${mark.text} `, right, focused: true, width}), width),
		x: BEFORE_TITLE + cellWidth(left) + mark.x,
	};
};

/** Variables as lines of the whole width. `x`: the cursor's cell in the filter field. */
export const variableLines = (
	list: VariableList,
	width: number,
	height: number,
	isFiltering: boolean,
): {readonly lines: readonly string[]; readonly x: number} => {
	const title = titleLine(list, width, isFiltering);
	const room = variableRoom(height);
	const shown = shownVariables(list);
	const cursor = cursorAt(list);
	const from = windowAround(cursor, room, shown.length);
	const {head, lines} = tableLines({
		columns,
		all: shown,
		measured: list.rows ?? [],
		from,
		height: room,
		cursor,
		focused: !isFiltering,
		width,
	});
	const body =
		lines.length > 0
			? withScrollMark(lines, {from, height: room, count: shown.length, width})
			: [paint('dim', `   ${cut(emptyText(list), width - 4)}`)];
	const blank = Array.from({length: Math.max(0, room - body.length)}, () => '');
	return {
		lines: [title.text, lines.length > 0 ? head : '', ...body, ...blank].map(line => fit(line, width)),
		x: title.x,
	};
};
