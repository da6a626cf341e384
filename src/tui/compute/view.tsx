import {Box} from 'ink';
import type {ComputeOption} from '../../contract/compute.ts';
import type {Changes} from '../../query/offer-changes.ts';
import type {ComputeFilter, Facet, FilterResult} from '../../query/filter.ts';
import type {Grouping} from '../../query/group.ts';
import type {ComputeSortKey, Direction} from '../../query/sort.ts';
import type {ChosenColumns} from '../../settings/columns.ts';
import type {QueryFault} from './catalogue.ts';
import type {ComputeRow, OfferRow} from './rows.ts';
import type {ListView} from '../core/store/lists.ts';
import type {Listing, Remote} from '../core/store/remote.ts';
import {moneyText, priceText} from '../../text/money.ts';
import {label} from '../../text/safe.ts';
import {cellWidth, cut, fit} from '../../text/width/width.ts';
import {countOf} from '../core/components/filter-mark.ts';
import {lineField} from '../core/components/line-field.ts';
import {
	failureBelowRows,
	freshness,
	emptyOf,
	emptyStateRows,
	isFailing,
} from '../core/components/remote-line.ts';
import {Rows} from '../core/components/rows.tsx';
import {screenTitle, titleRule} from '../core/components/pane-title.ts';
import {ageMark, withScrollMark} from '../core/components/position.ts';
import {BODY_TOP} from '../core/frame/workspace-layout.ts';
import {windowAround} from '../core/components/scroll.ts';
import {tableLines, wantedWidth, type Column} from '../core/components/table.ts';
import {CursorAt} from '../core/frame/cursor.tsx';
import {invitationRows, noHits, type Invitation} from '../core/components/invitation.ts';
import {ALL_ROWS} from '../core/frame/drawn-rows.ts';
import {glyph} from '../core/theme/glyphs.ts';
import {keyFor} from '../core/keys/live-keys.ts';
import {paint} from '../core/theme/theme.ts';
import {changeText, eventText, priceEvent} from './change-words.ts';
import {chipLine, noMatchHint} from './filters.ts';
import {CASE_MATTERS} from './region-grid.ts';
import {computeColumns, computeHeads} from './columns.ts';
import {detailBelow, detailBeside, detailNote, groupDetail, type DetailProps} from './detail.ts';
import {BETWEEN, detailWidth, WithDetail, type ListProps} from '../core/components/list-view.tsx';

type Props = Omit<ListProps<ComputeRow>, 'view'> & {
	readonly compute: Remote<Listing<ComputeOption>>;
	readonly measured: readonly OfferRow[];
	readonly narrowed: FilterResult<ComputeOption>;
	readonly filter: ComputeFilter;
	/** Regions that match the filter; empty means all. */
	readonly within: ReadonlySet<string>;
	readonly view: Pick<ListView, 'filter'>;
	readonly fault: QueryFault | null;
	readonly sort: {readonly key: ComputeSortKey; readonly direction: Direction};
	readonly chosen?: ChosenColumns['compute'];
	readonly grouping: Grouping | null;
	readonly marked: ReadonlySet<string>;
	readonly changes: Changes<ComputeOption> | null;
	readonly variants: ReadonlySet<string>;
	/** Text about the watches; empty if there are none. */
	readonly watching: string;
	readonly keyOf: (facet: Facet) => string;
	readonly detail: DetailProps | undefined;
};

/** Title, chips, query, its error, table header. */
export const HEADER_ROWS = 5;
/** Minimum width for the price bar and the regions. */
const LEAST_DETAIL = 46;
const BELOW = {from: 26, height: 10} as const;
export const GAP = 2;
/** Width of a group row, and of the bar of its prices. */
const GROUP_LINE = 96;
const [LEAST_BAR, LONGEST_BAR] = [8, 30];
/** Width below which the columns of group rows are narrower. */
const NARROW = 70;
const NO_VARIANTS: ReadonlySet<string> = new Set();

/** Cells before the GPU: marks and a blank, and an indentation below a group row. */
export const leadingCells = (grouping: Grouping | null): number => (grouping === null ? 4 : 6);

/**
 * Width of the details beside the table, which first gets what its values need; 0 if too little is
 * left.
 */
export const computeDetailWidth = (
	width: number,
	measured: readonly OfferRow[],
	grouping: Grouping | null,
	columns: readonly Column<ComputeRow>[],
): number =>
	detailWidth(
		width,
		Math.max(wantedWidth(columns, measured, GAP, leadingCells(grouping)), grouping === null ? 0 : GROUP_LINE),
		LEAST_DETAIL,
	);

/** Number of table rows, for scrolling by pages. The details are beside, below, or on one line. */
export const tableRoom = (detail: number, height: number): number =>
	height - HEADER_ROWS - (detail > 0 ? 0 : height >= BELOW.from ? BELOW.height + 1 : 2);

/** Widths of the columns of group rows, in cells. */
const groupWidths = (width: number) => {
	const isNarrow = width < NARROW;
	const name = isNarrow ? 16 : width < 100 ? 18 : 28;
	const [count, price] = isNarrow ? [8, 9] : [9, 11];
	const bar = width - 2 - name - 2 * count - 2 * price - 2;
	return {name, count, price, bar: bar < LEAST_BAR ? 0 : Math.min(bar, LONGEST_BAR)};
};

const GROUP_NAMES = {gpu: 'GPU', region: 'Region', host: 'Host'} as const;

/** Heads of group rows. `top`: price at the right end of the bars. */
const groupHead = (grouping: Grouping, top: number, width: number): string => {
	const {name, count, price, bar} = groupWidths(width);
	const ends = `${moneyText('0')} to ${moneyText(String(Math.ceil(top)))}`;
	const scale = [`Range, ${ends}`, ends].find(each => cellWidth(each) <= bar) ?? '';
	return `      ${fit(GROUP_NAMES[grouping], name)}${'Offers'.padStart(count)}${'Up now'.padStart(count)}${'From'.padStart(price)}${'To'.padStart(price)}  ${scale}`;
};

const groupLine = (
	{group, unfolded}: Extract<ComputeRow, {kind: 'group'}>,
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

const changeMark = (changes: Changes<ComputeOption> | null, {offer, option}: OfferRow): string => {
	const change = changes?.changed.get(offer);
	if (change === undefined) return ' ';
	if (change.isNew) return eventText('new');
	if (change.priceBefore !== null) return eventText(priceEvent(change.priceBefore, option.hourly_price));
	return eventText(change.opened.length > 0 ? 'opened' : 'closed');
};

/** Query as typed, with its invalid part marked, and the error below it. */
const queryLines = ({
	view,
	fault,
	filtering,
	width,
}: Pick<Props, 'view' | 'fault' | 'filtering' | 'width'>): {
	readonly lines: readonly [string, string];
	readonly x: number;
} => {
	const {text, x} = lineField(view.filter, width - 4);
	const shown = filtering ? text : text.trimEnd();
	const line = ` ${filtering ? paint('accent', '/') : paint('dim', '/')} ${shown === '' && !filtering ? paint('dim', 'query') : filtering ? shown : paint(fault ? 'bad' : 'dim', shown)}`;
	const hint =
		filtering && view.filter.text === ''
			? 'gpu:h100  n>=2  vram>=80  price<3  region:europe  host:aws  avail  cpu  or any text'
			: '';
	return {
		lines: [
			line,
			fault ? `   ${paint('bad', cut(label(fault.error, 400), width - 4))}` : `   ${paint('dim', hint)}`,
		],
		x: x + 3,
	};
};

export const ComputeView = (props: Props) => {
	const {
		compute,
		connection,
		rows,
		measured,
		narrowed,
		filter,
		within,
		sort,
		chosen = null,
		grouping,
		marked,
		changes,
		variants,
		watching,
		keyOf,
		detail,
		wait = {what: 'offers'},
		filtering,
		elsewhere = 0,
		cursor,
		focused,
		now,
		width,
		height,
	} = props;
	const all = compute.value?.items.length ?? 0;
	const unreadable = compute.value?.unreadable ?? 0;
	const title =
		` ${screenTitle('Compute', focused)}${compute.value ? ` ${countOf(narrowed.rows.length, all)}` : ''}` +
		(grouping === null ? '' : ` ${paint('dim', '· by')} ${grouping === 'gpu' ? 'GPU' : grouping}`) +
		(marked.size > 0 ? ` ${paint('dim', '·')} ${marked.size} marked` : '') +
		(watching === '' ? '' : ` ${paint('dim', '·')} ${paint('busy', watching)}`) +
		(changes ? ` ${paint('dim', '·')} ${paint('dim', changeText(changes, measured))}` : '') +
		(unreadable > 0 ? ` ${paint('dim', '·')} ${paint('bad', `${unreadable} unreadable`)}` : '') +
		' ';
	const right = ageMark(cursor, rows.length, freshness(compute, now));
	const top = titleRule({left: title, right, focused, width});
	const query = queryLines(props);
	const columns = computeColumns(within, chosen);
	// Details are of a row, so an empty list has none.
	const beside = rows.length === 0 ? 0 : computeDetailWidth(width, measured, grouping, columns);
	const place = beside > 0 ? 'beside' : height >= BELOW.from ? 'below' : 'line';
	const allRoom = tableRoom(beside, height);
	const failed =
		all > 0 ? failureBelowRows(compute, connection, {width, now, most: Math.floor(allRoom / 2)}) : [];
	const room = Math.max(1, allRoom - failed.length);
	const tableWidth = beside > 0 ? width - beside - BETWEEN : width;
	const from = windowAround(cursor, room, rows.length);
	const dearest = rows.reduce(
		(most, row) => (row.kind === 'group' && row.group.high > most ? row.group.high : most),
		0,
	);
	const {head: offerHead, lines} = tableLines<ComputeRow>({
		columns,
		heads: computeHeads(sort.key, sort.direction, chosen),
		all: rows,
		measured,
		gap: GAP,
		before: leadingCells(grouping),
		from,
		height: room,
		cursor,
		focused,
		width: tableWidth,
		stale: isFailing(compute),
		marks: row =>
			row.kind === 'offer'
				? [marked.has(row.offer) ? paint('accent', glyph.chosen) : ' ', changeMark(changes, row)]
				: [' ', ' '],
		whole: row =>
			row.kind === 'group'
				? cut(
						groupLine(row, grouping === 'region' ? variants : NO_VARIANTS, dearest, tableWidth - 5),
						tableWidth - 5,
					)
				: undefined,
	});
	const isSettled = compute.value !== undefined && !isFailing(compute) && connection.status !== 'failed';
	const invitation: Invitation | null =
		rows.length > 0 || !isSettled || (all === 0 && unreadable > 0)
			? null
			: all > 0
				? noHits(
						'options',
						{
							clear: keyFor('compute.showAll'),
							edit: keyFor('compute.removeLast'),
							editing: 'remove the last part',
						},
						{filtering, elsewhere, note: noMatchHint(filter, narrowed)},
					)
				: {
						title: 'The service lists no compute options',
						steps: [
							{key: keyFor('global.refresh'), action: 'ask again'},
							{key: keyFor('global.servers'), action: 'servers'},
						],
					};
	const list =
		rows.length > 0
			? withScrollMark(lines, {from, height: room, count: rows.length, width: tableWidth})
			: invitation === null
				? emptyStateRows(compute, connection, {
						...wait,
						...{width: tableWidth, now},
						empty: emptyOf(compute, 'compute', ''),
					})
				: invitationRows(invitation, tableWidth, room);
	const onCursor = rows[cursor];
	// The heads are those of the row that the keys act on.
	const head =
		grouping !== null && onCursor?.kind === 'group'
			? paint('dim', groupHead(grouping, dearest, tableWidth - 5))
			: offerHead;
	const group = onCursor?.kind === 'group' ? onCursor.group : undefined;
	const shownHead = rows.length > 0 ? head : '';
	const above = [top, chipLine(filter, narrowed, keyOf, width), ...query.lines];
	const padded = [...list, ...Array.from({length: Math.max(0, room - list.length)}, () => '')];
	const tall = 1 + padded.length + failed.length;
	const shown = Math.min(padded.length, height - above.length - 1);
	const field = filtering && <CursorAt x={query.x} y={BODY_TOP + 2} />;
	if (place === 'beside') {
		return (
			<Box flexDirection="column">
				{field}
				<Rows height={above.length} lines={above} />
				<WithDetail
					head={head}
					list={padded}
					below={failed}
					detail={
						detail
							? detailBeside(detail, beside - 1, tall)
							: group
								? groupDetail(group, beside - 1, tall)
								: []
					}
					width={tableWidth}
				/>
			</Box>
		);
	}
	const below =
		place === 'below'
			? [
					rows.length > 0 ? paint('rule', glyph.rule.repeat(width)) : '',
					...(detail
						? detailBelow(detail, width - 4, BELOW.height)
						: group
							? groupDetail(group, width - 4, BELOW.height)
							: []
					).map(line => `  ${line}`),
				]
			: ['', ...(detail ? detailNote(detail, width - 4).map(line => `   ${line}`) : [])];
	return (
		<Box flexDirection="column">
			{field}
			<Rows height={above.length + 1} lines={[...above, shownHead]} />
			<Rows list={ALL_ROWS} height={shown} lines={padded} />
			<Rows height={Math.max(0, height - above.length - 1 - shown)} lines={[...failed, ...below]} />
		</Box>
	);
};
