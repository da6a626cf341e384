import {hasUnknownRate, leftOut, type ServerCost, type TotalCost} from '../../../costs/daily-costs.ts';
import {costText} from '../../../costs/today.ts';
import {hoursText} from '../../../text/clock.ts';
import {estimateWords, ratesText, roundedPrice} from '../../../text/money.ts';
import {label} from '../../../text/safe.ts';
import {cellWidth, fit} from '../../../text/width/width.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {glyph} from '../../core/theme/glyphs.ts';
import {paint} from '../../core/theme/theme.ts';
import type {Costs} from './costs.ts';

const GAP = '  ';
/** Narrowest server name in cells; below it, columns are left out. */
const LEAST_NAME = 16;

const spanText = (ms: number): string => (ms === 0 ? glyph.none : hoursText(ms));

/** For example `at least 12.50 and 1 server at an unknown rate`. */
const totalText = (total: TotalCost): string =>
	`${estimateWords(total.estimate, total.atLeast)}${leftOut(total, ' and')}`;

/** Columns right of the name, in order. A lower `drop` is left out first. */
const COLUMNS: readonly {
	readonly head: string;
	readonly drop: number;
	readonly value: (cost: ServerCost) => string;
}[] = [
	{head: 'READY', drop: 3, value: ({ready}) => spanText(ready)},
	{head: 'ASSUMED', drop: 2, value: ({assumed}) => spanText(assumed)},
	{head: 'UNSEEN', drop: 2, value: ({unseen}) => spanText(unseen)},
	{head: 'RATE /H', drop: 1, value: each => ratesText(each.rates, hasUnknownRate(each)) || glyph.none},
	{head: 'EST.', drop: 4, value: costText},
];

const UNSEEN = COLUMNS.findIndex(({head}) => head === 'UNSEEN');
const ASSUMED = COLUMNS.findIndex(({head}) => head === 'ASSUMED');

/**
 * Costs of servers per day as rows of at most `width` cells. `limit`: daily limit; null for none.
 */
export const costLines = (costs: Costs | null, limit: number | null, width: number): readonly string[] => {
	if (costs === null) return [paint('dim', 'Reading the observations …')];
	const {days, total} = costs;
	const rows = days.flatMap(({servers}) => servers);
	const widths = COLUMNS.map(({head, value}) =>
		rows.reduce((most, row) => Math.max(most, cellWidth(value(row))), cellWidth(head)),
	);
	const isAssumed = rows.some(({assumed}) => assumed > 0);
	let shown = [...COLUMNS.keys()].filter(at => isAssumed || at !== ASSUMED);
	const left = (): number => shown.reduce((rest, at) => rest - (widths[at] ?? 0) - GAP.length, width);
	for (const [at] of [...COLUMNS.entries()].sort(([, one], [, other]) => one.drop - other.drop))
		if (left() < LEAST_NAME && shown.length > 1) shown = shown.filter(each => each !== at);
	// Keeps the numbers close to the names on a wide screen.
	const name = Math.min(
		left(),
		rows.reduce((most, {server}) => Math.max(most, cellWidth(label(server)) + 1), LEAST_NAME),
	);
	const row = (first: string, cell: (at: number) => string): string =>
		[fit(first, name), ...shown.map(at => fit(cell(at), widths[at] ?? 0, 'right'))].join(GAP);
	const looked = days.reduce((sum, day) => sum + day.looked, 0);
	const length = days.reduce((sum, day) => sum + day.length, 0);
	const said = (text: string): readonly string[] => wrap(text, width).map(line => paint('dim', line));
	const head = [
		...wrap(
			rows.length === 0
				? `No server was seen ready ${days.length === 1 ? 'today' : 'on these days'}.`
				: `An estimate from observations, not a bill: ${totalText(total)}.`,
			width,
		),
		...said(`Observed for ${hoursText(looked)} of ${hoursText(length)}; the rest is unknown.`),
	];
	if (rows.length === 0) return head;
	return [
		...head,
		'',
		paint(
			'dim',
			row('DAY, SERVER', at => COLUMNS[at]?.head ?? ''),
		),
		...days.flatMap(({day, looked: seen, servers, total: sum}) => {
			const isOver = limit !== null && sum.estimate > limit;
			const words =
				servers.length === 0
					? seen === 0
						? 'not observed'
						: `nothing seen ready in ${hoursText(seen)}`
					: `${totalText(sum)}${isOver ? `, over the limit of ${roundedPrice(limit)}` : ''}`;
			return [
				...wrap(`${paint('heading', day)} ${isOver ? paint('bad', words) : paint('dim', words)}`, width),
				...servers.map(each => row(` ${label(each.server)}`, at => COLUMNS[at]?.value(each) ?? '')),
			];
		}),
		...(shown.includes(ASSUMED)
			? [
					'',
					...said(
						'ASSUMED: unobserved time between a start from here and the first observation as ready. The estimate includes it.',
					),
				]
			: []),
		...(shown.includes(UNSEEN) && rows.some(({unseen}) => unseen > 0)
			? [
					'',
					...said(
						'UNSEEN: unobserved time next to time when the server was ready. The estimate does not include it.',
					),
				]
			: []),
	];
};
