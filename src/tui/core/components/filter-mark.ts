import type {ListView} from '../store/lists.ts';
import {fit} from '../../../text/width/width.ts';
import {paint} from '../theme/theme.ts';
import {lineField} from './line-field.ts';

/** Width of the field in a title line, in cells. */
const FIELD = 24;

/** Filter of a list in its title line, with the cursor's cell. Empty without a filter. */
export const filterMark = (
	{filter}: Pick<ListView, 'filter'>,
	filtering: boolean,
): {readonly text: string; readonly x: number} => {
	if (!filtering && filter.text === '') return {text: '', x: 0};
	const {text, x} = lineField(filter, FIELD);
	return {
		text: `   ${paint('accent', '/')} ${filtering ? fit(text, FIELD) : paint('own', text.trimEnd())}`,
		x: x + 5,
	};
};

/** Number of rows: `12 of 83` while a filter hides some of them, else `83`. */
export const countOf = (shown: number, all: number): string =>
	shown === all ? String(all) : `${shown} of ${all}`;
