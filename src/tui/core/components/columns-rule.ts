import type {ColumnLayout} from '../../../text/table/layout.ts';
import {cellWidth, cut} from '../../../text/width/width.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';

/** Rule with the number of columns hidden beyond each edge. `isShort`: numbers without words. */
export const columnsRule = (
	{before, after}: Pick<ColumnLayout, 'before' | 'after'>,
	width: number,
	isShort = false,
): string => {
	const more = (count: number): string =>
		`${count.toLocaleString('en')}${isShort ? '' : ` more column${count === 1 ? '' : 's'}`}`;
	const start = before === 0 ? '' : ` ${glyph.moreLeft} ${more(before)} `;
	const end = after === 0 ? '' : ` ${more(after)} ${glyph.moreRight} `;
	const rest = width - cellWidth(start) - cellWidth(end);
	if (rest < 0)
		return isShort ? cut(paint('busy', start + end), width) : columnsRule({before, after}, width, true);
	return `${paint('busy', start)}${paint('rule', glyph.rule.repeat(rest))}${paint('busy', end)}`;
};
