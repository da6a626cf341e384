import {estimateText, moneyText, perDay, perHour, roundedPrice} from '../../../text/money.ts';
import {cellWidth} from '../../../text/width/width.ts';
import {glyph} from '../../core/theme/glyphs.ts';
import {paint, type Role} from '../../core/theme/theme.ts';
import type {TotalEstimate} from './rentals.ts';

/** Share of the daily limit from which on the line warns. */
export const NEAR_LIMIT = 0.8;

const limitText = (limit: number): string =>
	moneyText(Number.isInteger(limit) ? String(limit) : roundedPrice(limit));

const roleOf = (share: number): Role => (share > 1 ? 'bad' : share >= NEAR_LIMIT ? 'busy' : 'dim');

/** Least width of a line with a bar, and cells of the bar. */
const WITH_BAR = 100;
const BAR = 15;

const barOf = (share: number): string => {
	const cells = Math.min(BAR, Math.floor(share * BAR));
	const half = cells < BAR && share > 0 ? glyph.halfBar : '';
	return (
		paint(roleOf(share), glyph.bar.repeat(cells) + half) +
		paint('rule', glyph.rule.repeat(BAR - cells - half.length))
	);
};

/**
 * Row with the rate of all servers, and today's cost as a share of the daily limit. Null if there
 * are no costs. `limit`: null for none.
 */
export const moneyLine = (total: TotalEstimate, limit: number | null, width: number): string | null => {
	const {rate, known, unknown, estimate, atLeast} = total;
	if (rate === 0 && unknown === 0 && estimate === 0) return null;
	// Unknown rates add to the known ones, so the sum is only a lower bound.
	const least = unknown > 0 ? glyph.atLeast : '';
	const isKnown = known > 0 || unknown === 0;
	const now = `${paint('own', isKnown ? least + perHour(rate) : perHour())} ${paint('dim', 'now')}`;
	const others = unknown === 0 ? '' : `   ${paint('dim', `${unknown} unknown`)}`;
	const day = isKnown && rate > 0 ? `   ${least}${perDay(rate)} ${paint('dim', 'if left on')}` : '';
	const cost = `${paint('dim', 'today est.')} ${moneyText(estimateText(estimate, atLeast))}`;
	const share = limit === null || limit <= 0 ? null : estimate / limit;
	const of = limit === null || share === null ? '' : paint(roleOf(share), ` of ${limitText(limit)}`);
	const percent = share === null ? '' : paint(roleOf(share), `  ${Math.floor(share * 100)}%`);
	const bar = share === null || width < WITH_BAR ? '' : `  ${barOf(share)}`;
	const [left = '', right = ''] = [
		[`${now}${day}${others}`, `${cost}${of}${bar}${percent}`],
		[`${now}${day}${others}`, `${cost}${of}${percent}`],
		[`${now}${others}`, `${cost}${of}${percent}`],
		[`${now}${others}`, `${cost}${of}`],
		[`${now}${others}`, cost],
	].find(([one = '', other = '']) => cellWidth(one) + cellWidth(other) + 4 <= width) ?? [now, ''];
	return ` ${left}${' '.repeat(Math.max(1, width - cellWidth(left) - cellWidth(right) - 2))}${right}`;
};
