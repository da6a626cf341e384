// Rows of groups: a name, counts and prices, and bars of the price ranges on a common scale.
import type {Grouping} from '../../query/group.ts';
import {moneyText, priceText} from '../../text/money.ts';
import {label} from '../../text/safe.ts';
import {cellWidth, fit} from '../../text/width/width.ts';
import {glyph} from '../core/theme/glyphs.ts';
import {paint} from '../core/theme/theme.ts';
import {CASE_MATTERS} from './region-grid.ts';
import type {GroupRow} from './rows.ts';

const [LEAST_BAR, LONGEST_BAR] = [8, 30];
/** Width in cells below which the columns of group rows are narrower. */
const NARROW = 70;

/** Widths of the columns of group rows, in cells. */
const groupWidths = (width: number) => {
	const isNarrow = width < NARROW;
	const name = isNarrow ? 16 : width < 100 ? 18 : 28;
	const [count, price] = isNarrow ? [8, 9] : [9, 11];
	const bar = width - 2 - name - 2 * count - 2 * price - 2;
	return {name, count, price, bar: bar < LEAST_BAR ? 0 : Math.min(bar, LONGEST_BAR)};
};

const GROUP_NAMES = {gpu: 'GPU', region: 'Region', host: 'Host'} as const;

/** Column titles of group rows. `top`: price at the right end of the bars. */
export const groupHead = (grouping: Grouping, top: number, width: number): string => {
	const {name, count, price, bar} = groupWidths(width);
	const ends = `${moneyText('0')} to ${moneyText(String(Math.ceil(top)))}`;
	const scale = [`Range, ${ends}`, ends].find(each => cellWidth(each) <= bar) ?? '';
	return `     ${fit(GROUP_NAMES[grouping], name)}${'Offers'.padStart(count)}${'Up now'.padStart(count)}${'From'.padStart(price)}${'To'.padStart(price)}  ${scale}`;
};

export const groupLine = (
	{group, unfolded}: GroupRow,
	variants: ReadonlySet<string>,
	top: number,
	width: number,
): string => {
	const {name, options, available, low, high} = group;
	const {name: room, count, price, bar} = groupWidths(width);
	const shown = `${label(name, 60) || '""'}${variants.has(name) ? CASE_MATTERS : ''}`;
	const [from, to] =
		Number.isNaN(low) || top <= 0
			? [0, 0]
			: [Math.min(bar - 1, Math.floor((low / top) * bar)), Math.ceil((high / top) * bar)];
	const range = glyph.bar.repeat(Math.max(to - from, bar > 0 && !Number.isNaN(low) ? 1 : 0));
	const scale =
		bar === 0
			? ''
			: `  ${paint('dim', glyph.rule.repeat(from))}${range}${paint('dim', glyph.rule.repeat(Math.max(0, bar - from - range.length)))}`;
	return `${unfolded ? glyph.unfolded : glyph.folded} ${fit(shown, room)}${String(options.length).padStart(count)}${String(available).padStart(count)}${priceText(low).padStart(price)}${priceText(high).padStart(price)}${scale}`;
};

const NOUNS = {gpu: 'GPU model', region: 'region', host: 'host'} as const;

/** Number of groups, as text. */
export const groupCount = (grouping: Grouping, count: number): string =>
	`${count} ${NOUNS[grouping]}${count === 1 ? '' : 's'}`;
