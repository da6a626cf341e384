import {
	hasUnknownRate,
	isUnknown,
	leftOut,
	totalCost,
	type ServerCost,
	type TotalCost,
} from '../../../costs/daily-costs.ts';
import {costText} from '../../../costs/today.ts';
import {hoursText} from '../../../text/clock.ts';
import {UNKNOWN} from '../../../text/known.ts';
import {estimateText, estimateWords, ratesText, roundedPrice} from '../../../text/money.ts';
import {label} from '../../../text/safe.ts';
import {cellWidth, fit} from '../../../text/width/width.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {glyph} from '../../core/theme/glyphs.ts';
import {paint} from '../../core/theme/theme.ts';
import type {Costs} from './costs.ts';

const GAP = '  ';
/** Narrowest server name in cells. If less is left for the name, columns are left out. */
const LEAST_NAME = 16;
/** Maximum and minimum width of a bar, in cells. */
const BAR = 28;
const LEAST_BAR = 8;

/** Costs in a table row: of one server on a day, or of several, which are summed. */
type Costed = readonly ServerCost[];

const sum = (costs: Costed, of: (cost: ServerCost) => number): number =>
	costs.reduce((all, cost) => all + of(cost), 0);

const amount = (
	costs: Costed,
	of: (cost: ServerCost) => number,
	time: (cost: ServerCost) => number,
): string =>
	sum(costs, time) === 0
		? glyph.none
		: costs.every(isUnknown)
			? UNKNOWN
			: estimateText(sum(costs, of), false);

const estimateOf = (costs: Costed): string => {
	const [only] = costs;
	if (only !== undefined && costs.length === 1) return costText(only);
	const {estimate, atLeast} = totalCost(costs);
	return costs.every(isUnknown) ? UNKNOWN : estimateText(estimate, atLeast);
};

/**
 * Columns right of the name, in order. The lowest `drop` is left out first. EST. = SEEN + ASSUMED.
 */
const COLUMNS: readonly {
	readonly head: string;
	readonly drop: number;
	readonly value: (costs: Costed) => string;
}[] = [
	{head: 'Est.', drop: 5, value: estimateOf},
	{
		head: 'Seen',
		drop: 4,
		value: costs =>
			amount(
				costs,
				cost => cost.estimate - cost.assumedCost,
				({ready}) => ready,
			),
	},
	{
		head: 'Assumed',
		drop: 3,
		value: costs =>
			amount(
				costs,
				cost => cost.assumedCost,
				({assumed}) => assumed,
			),
	},
	{
		head: 'Unseen',
		drop: 2,
		value: costs => {
			const time = sum(costs, ({unseen}) => unseen);
			return time === 0 ? glyph.none : hoursText(time);
		},
	},
	{
		head: 'Rate /h',
		drop: 1,
		value: ([cost, ...more]) =>
			cost === undefined || more.length > 0 ? '' : ratesText(cost.rates, hasUnknownRate(cost)) || glyph.none,
	},
];

/** Note on a day: servers missing from its amount, and the limit if exceeded. Usually empty. */
const dayNote = (total: TotalCost, limit: number | null): string => {
	const over = limit !== null && total.estimate > limit ? [`over the limit of ${roundedPrice(limit)}`] : [];
	const without = leftOut(total, 'without');
	return [...(without === '' ? [] : [without]), ...over].join(', ');
};

type Table = {
	readonly row: (first: string, costs: Costed) => string;
	readonly head: string;
	readonly shows: (head: string) => boolean;
};

/** Lays out the columns for these costs. */
const tableOf = (costs: Costs, names: readonly string[], width: number): Table => {
	const rows: readonly Costed[] = [
		...costs.days.flatMap(({servers}) => [servers, ...servers.map(each => [each])]),
		costs.days.flatMap(({servers}) => servers),
	];
	const widths = COLUMNS.map(({head, value}) =>
		rows.reduce((most, each) => Math.max(most, cellWidth(value(each))), cellWidth(head)),
	);
	const isAssumed = rows.some(each => sum(each, ({assumed}) => assumed) > 0);
	let shown = [...COLUMNS.keys()].filter(at => isAssumed || COLUMNS[at]?.head !== 'Assumed');
	const left = (): number => shown.reduce((rest, at) => rest - (widths[at] ?? 0) - GAP.length, width);
	for (const [at] of [...COLUMNS.entries()].sort(([, one], [, other]) => one.drop - other.drop))
		if (left() < LEAST_NAME && shown.length > 1) shown = shown.filter(each => each !== at);
	// Keeps the numbers close to the names on a wide screen.
	const name = Math.min(
		left(),
		names.reduce((most, each) => Math.max(most, cellWidth(each) + 1), LEAST_NAME),
	);
	const cells = (first: string, cell: (at: number) => string): string =>
		[fit(first, name), ...shown.map(at => fit(cell(at), widths[at] ?? 0, 'right'))].join(GAP);
	const bar = Math.min(BAR, left() - name - GAP.length);
	const most = Math.max(...costs.days.map(({total}) => total.estimate));
	const barOf = (estimate: number): string =>
		bar < LEAST_BAR || most === 0
			? ''
			: `${GAP}${paint('dim', glyph.bar.repeat(Math.round((bar * estimate) / most)))}`;
	return {
		row: (first, each) =>
			`${cells(first, at => COLUMNS[at]?.value(each) ?? '')}${barOf(Math.min(most, totalCost(each).estimate))}`,
		head: cells('Day, server', at => COLUMNS[at]?.head ?? ''),
		shows: head => shown.some(at => COLUMNS[at]?.head === head),
	};
};

/**
 * Costs of servers per day as rows of at most `width` cells. `limit`: daily limit; null for none.
 */
export const costLines = (costs: Costs | null, limit: number | null, width: number): readonly string[] => {
	if (costs === null) return [paint('dim', 'Reading the observations …')];
	const {days, total} = costs;
	const all = days.flatMap(({servers}) => servers);
	const looked = days.reduce((time, day) => time + day.looked, 0);
	const length = days.reduce((time, day) => time + day.length, 0);
	const said = (text: string): readonly string[] => wrap(text, width).map(line => paint('dim', line));
	const head = [
		...wrap(
			all.length === 0
				? `No server was seen ready ${days.length === 1 ? 'today' : 'on these days'}.`
				: `An estimate from observations, not a bill: ${estimateWords(total.estimate, total.atLeast)}${leftOut(total, ' and')}.`,
			width,
		),
		...said(`Observed for ${hoursText(looked)} of ${hoursText(length)}; the rest is unknown.`),
	];
	if (all.length === 0) return head;
	const titleOf = (day: string): string => (day === days[0]?.day ? `${day}, today` : day);
	const table = tableOf(
		costs,
		[...days.map(({day}) => titleOf(day)), ...all.map(({server}) => ` ${label(server)}`)],
		width,
	);
	return [
		...head,
		'',
		paint('dim', table.head),
		...days
			.filter(({servers}) => servers.length > 0)
			.flatMap(({day, servers, total: sumOfDay}) => {
				const note = dayNote(sumOfDay, limit);
				const isOver = limit !== null && sumOfDay.estimate > limit;
				return [
					table.row(paint('heading', titleOf(day)), servers),
					...(note === '' ? [] : wrap(` ${paint(isOver ? 'bad' : 'dim', note)}`, width)),
					...servers.map(each => table.row(` ${label(each.server)}`, [each])),
				];
			}),
		...(days.length === 1 ? [] : ['', table.row(paint('dim', `${days.length} days`), all)]),
		...(table.shows('Assumed')
			? [
					'',
					...said(
						'ASSUMED: unobserved time between two observations of the same start as ready. The estimate includes it.',
					),
				]
			: []),
		...(table.shows('Unseen') && all.some(({unseen}) => unseen > 0)
			? [
					'',
					...said(
						'UNSEEN: unobserved time before or after the server was seen ready. The estimate does not include it.',
					),
				]
			: []),
	];
};
