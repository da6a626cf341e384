import {MOST_DISTINCT, type Bar, type ColumnStats} from '../../text/table/column-stats.ts';
import {shownField, shownName} from '../../text/table/column-format.ts';
import {fit} from '../../text/width/width.ts';
import {wrap} from '../../text/width/wrap.ts';
import {remoteIn} from '../../text/table/remote.ts';
import {label} from '../../text/safe.ts';
import {paint} from '../core/theme/theme.ts';
import type {TableView} from './tables.ts';

const NAME = 9;

const fact = (name: string, value: string, width: number): string =>
	`${paint('dim', fit(name, NAME))} ${fit(value, Math.max(1, width - NAME - 1))}`;

const whole = (value: number): string => value.toLocaleString('en');
const rounded = (value: number): string =>
	Number.isFinite(value) ? String(Number(value.toPrecision(6))) : String(value);

/** Histogram, one row for each bar. The longest bar is as wide as the space for bars. */
const barLines = (bars: readonly Bar[], isNumbers: boolean, width: number): readonly string[] => {
	const most = Math.max(1, ...bars.map(({count}) => count));
	const counts = bars.map(({count}) => whole(count));
	const right = Math.max(0, ...counts.map(text => text.length));
	const name = isNumbers ? NAME : Math.max(NAME, Math.floor((width - right) / 2));
	const room = Math.max(1, width - name - right - 2);
	return bars.map(({name: text, count}, at) => {
		const length = count === 0 ? 0 : Math.max(1, Math.round((count / most) * room));
		return `${fit(shownField(text), name, isNumbers ? 'right' : 'left')} ${paint('accent', '█'.repeat(length))}${' '.repeat(room - length)} ${paint('dim', (counts[at] ?? '').padStart(right))}`;
	});
};

/** Type of the values, with unit and decimal mark of numbers where these are unusual. */
const kindLines = ({kind, reading}: ColumnStats, width: number): readonly string[] => {
	if (kind === 'nothing') return ['no values'];
	if (reading.kind === 'text')
		return wrap(reading.why === null ? 'text' : `text: ${label(reading.why, 200)}`, width);
	if (reading.kind === 'dates') return [`dates, ${reading.order}`];
	if (kind === 'text') return ['text'];
	const {unit, currencies, decimal} = reading;
	const units = [...currencies, ...(unit === '' ? [] : [unit])].map(each => label(each, 12));
	const words = [
		`numbers${units.length === 0 ? '' : ` in ${units.join(', ')}`}`,
		...(decimal === ',' ? ['with a decimal comma'] : []),
	];
	return wrap(words.join(' '), width);
};

const foundLines = (facts: ColumnStats, width: number): readonly string[] => {
	const {kind, count, missing, min, max, mean, distinct, bars} = facts;
	return [
		fact('values', whole(count), width),
		fact('missing', whole(missing), width),
		fact('distinct', distinct === null ? `more than ${whole(MOST_DISTINCT)}` : whole(distinct), width),
		...(min === null ? [] : [fact(kind === 'numbers' ? 'min' : 'first', shownField(min), width)]),
		...(max === null ? [] : [fact(kind === 'numbers' ? 'max' : 'last', shownField(max), width)]),
		...(mean === null ? [] : [fact('mean', rounded(mean), width)]),
		...(bars.length === 0
			? []
			: [
					'',
					paint('dim', kind === 'numbers' ? 'from' : 'most frequent'),
					...barLines(bars, kind === 'numbers', width),
				]),
	];
};

/** Statistics of the column that the cursor is on, computed from the shown rows. */
export const factLines = (view: TableView, width: number, height: number): readonly string[] => {
	const {table, facts, rows} = view;
	if (!facts) return [];
	const isRemote = remoteIn(table) !== null;
	const isMatching = isRemote
		? table.count !== table.whole?.shownRows
		: rows !== null && rows.length !== view.known;
	const type = label(table.typeOf?.(facts.column).name ?? '', 100);
	const kind = (found: ColumnStats): readonly string[] =>
		type === '' ? kindLines(found, width) : wrap(type, width);
	return [
		paint('heading', fit(shownName(table, facts.column), width)),
		...(facts.found ? kind(facts.found) : ['counting …']).map(each => paint('dim', each)),
		...(isMatching ? [paint('dim', 'of the matching rows')] : []),
		...(table.whole && !isRemote ? [paint('dim', 'of the printed rows')] : []),
		'',
		...(facts.found ? foundLines(facts.found, width) : []),
	].slice(0, height);
};
