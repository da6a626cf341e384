import type {Suggestions} from './suggest.ts';
import {label} from '../../text/safe.ts';
import {cellWidth, cut, fit} from '../../text/width/width.ts';
import {windowAround} from '../core/components/scroll.ts';
import {paint} from '../core/theme/theme.ts';

/** Suggestions visible at once. */
const HEIGHT = 6;

/** Suggestions for the text at the cursor, as rows of `width` cells. */
export const suggestLines = (found: Suggestions | null, width: number): readonly string[] => {
	if (found === null) return [];
	const from = windowAround(found.at, Math.min(HEIGHT, found.choices.length), found.choices.length);
	return found.choices.slice(from, from + HEIGHT).map(({insert, note}, index) => {
		const right = cut(label(note, 120), Math.floor(width / 2));
		const row = `   ${fit(label(insert, 200), Math.max(8, width - 6 - cellWidth(right)))} ${paint('dim', right)}`;
		return from + index === found.at
			? paint(
					'selected',
					fit(`   ${fit(label(insert, 200), Math.max(8, width - 6 - cellWidth(right)))} ${right}`, width),
				)
			: row;
	});
};
