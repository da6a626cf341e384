import {estimateText, moneyText, perDay, roundedPrice, sumPerHour} from '../../../text/money.ts';
import {cellWidth} from '../../../text/width/width.ts';
import {paint, type Role} from '../../core/theme/theme.ts';
import type {TotalEstimate} from './rentals.ts';

/** Share of the daily limit from which the line warns. */
export const NEAR_LIMIT = 0.8;

const limitText = (limit: number): string =>
	moneyText(Number.isInteger(limit) ? String(limit) : roundedPrice(limit));

const roleOf = (share: number): Role => (share > 1 ? 'bad' : share >= NEAR_LIMIT ? 'busy' : 'dim');

/**
 * Row with the rate of all servers and today's cost, as a share of the daily limit. Null while
 * nothing costs anything. `limit`: null for none.
 */
export const moneyLine = (total: TotalEstimate, limit: number | null, width: number): string | null => {
	const {rate, unknown, estimate, atLeast} = total;
	if (rate === 0 && unknown === 0 && estimate === 0) return null;
	const now = `${paint('dim', 'now')} ${paint('own', sumPerHour(total))}`;
	const day = rate > 0 && unknown === 0 ? `   ${perDay(rate)} ${paint('dim', 'if left on')}` : '';
	const cost = `${paint('dim', 'today est.')} ${moneyText(estimateText(estimate, atLeast))}`;
	const share = limit === null || limit <= 0 ? null : estimate / limit;
	const of = limit === null || share === null ? '' : paint(roleOf(share), ` of ${limitText(limit)}`);
	const percent = share === null ? '' : paint(roleOf(share), `  ${Math.floor(share * 100)}%`);
	const [left = '', right = ''] = [
		[`${now}${day}`, `${cost}${of}${percent}`],
		[now, `${cost}${of}${percent}`],
		[now, `${cost}${of}`],
		[now, cost],
	].find(([one = '', other = '']) => cellWidth(one) + cellWidth(other) + 4 <= width) ?? [now, ''];
	return ` ${left}${' '.repeat(Math.max(1, width - cellWidth(left) - cellWidth(right) - 2))}${right}`;
};
