import {Box} from 'ink';
import type {ComputeOption} from '../../contract/compute.ts';
import type {Changes} from '../../query/offer-changes.ts';
import {isFiltered, type ComputeFilter, type FilterResult} from '../../query/filter.ts';
import type {Grouping} from '../../query/group.ts';
import {computeIdOf} from '../../query/option.ts';
import type {ComputeSortKey, Direction} from '../../query/sort.ts';
import type {ChosenColumns} from '../../settings/columns.ts';
import {nextGrouping, type QueryFault} from './catalogue.ts';
import type {ComputeRow, OfferRow} from './rows.ts';
import type {ListView} from '../core/store/lists.ts';
import type {Listing, Remote} from '../core/store/remote.ts';
import {label} from '../../text/safe.ts';
import {cut} from '../../text/width/width.ts';
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
import {tableLines, wantedWidth} from '../core/components/table.ts';
import {CursorAt} from '../core/frame/cursor.tsx';
import {invitationRows, noHits, type Invitation} from '../core/components/invitation.ts';
import {ALL_ROWS} from '../core/frame/drawn-rows.ts';
import {glyph} from '../core/theme/glyphs.ts';
import {keyFor} from '../core/keys/live-keys.ts';
import {keyNameOf} from '../../text/key-name.ts';
import {showKey} from '../core/frame/footer.ts';
import {paint} from '../core/theme/theme.ts';
import {changeText, eventText, priceEvent} from './change-words.ts';
import {chipLine, noMatchHint} from './filters.ts';
import {groupCount, groupHead, groupLine} from './group-rows.ts';
import {computeColumns, computeHeads, isUp} from './columns.ts';
import {detailBelow, detailBeside, groupBelow, groupDetail, type DetailProps} from './detail.ts';
import {BETWEEN, WithDetail, type ListProps} from '../core/components/list-view.tsx';

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
	readonly detail: DetailProps | undefined;
};

/** Rows above the table: title, chips or query, error in the query, column titles. */
const HEADER_ROWS = 4;
/** Cells between columns: usually, and on a wide screen with enough room. */
const [GAP, WIDE_GAP] = [2, 4];
/** Rows below the table: a blank row and the details. */
const BELOW = 3;
const NO_VARIANTS: ReadonlySet<string> = new Set();

/**
 * Layout in cells. On screens of width `from` or more, details of width `room` are beside the
 * table. On screens of width `wide` or more, the table has width `list`, and the details get the
 * rest.
 */
const BESIDE = {from: 112, room: 39, wide: 170, list: 110} as const;

/** Cells before the GPU: mark, cursor and a blank; rows below a group row are indented further. */
const leadingCells = (grouping: Grouping | null): number => (grouping === null ? 3 : 5);

/** Width of the details beside the table; 0 if they are below it, or if no row is an option. */
export const roomBeside = (width: number, rows: readonly ComputeRow[]): number => {
	if (width < BESIDE.from || rows.every(({kind}) => kind === 'group')) return 0;
	return width >= BESIDE.wide ? width - BESIDE.list - BETWEEN : BESIDE.room;
};

/** Number of table rows. */
const tableRoom = (width: number, height: number, rows: readonly ComputeRow[]): number =>
	height - HEADER_ROWS - (width >= BESIDE.from || rows.length === 0 ? 0 : BELOW);

/** Number of rows by which a page scrolls. */
export const pageOf = (width: number, height: number, rows: readonly ComputeRow[]): number =>
	Math.max(1, tableRoom(width, height, rows) - 1);

const changeMark = (changes: Changes<ComputeOption> | null, {offer, option}: OfferRow): string => {
	const change = changes?.changed.get(offer);
	if (change === undefined) return ' ';
	if (change.isNew) return eventText('new');
	if (change.priceBefore !== null) return eventText(priceEvent(change.priceBefore, option.hourly_price));
	return eventText(change.opened.length > 0 ? 'opened' : 'closed');
};

/** Keys beside the chips. */
const filterHints = (filter: ComputeFilter, grouping: Grouping | null): readonly string[] => {
	const hint = (key: string, text: string): string => `${paint('accent', key)} ${paint('dim', text)}`;
	const [facetKey = ''] = keyNameOf('compute.regions').split(' ');
	if (grouping !== null) {
		const names = {gpu: 'GPU', region: 'region', host: 'host'} as const;
		const others: string[] = [];
		for (let next = nextGrouping(grouping); next !== grouping; next = nextGrouping(next))
			others.push(next === null ? 'none' : names[next]);
		return [
			hint(
				showKey(keyNameOf('compute.group')),
				`group by ${names[grouping]} ${glyph.prompt} ${others.join(', ')}`,
			),
		];
	}
	return [
		...(facetKey === '' ? [] : [hint(showKey(facetKey), 'facets')]),
		hint(showKey(keyNameOf('compute.filter')), 'refine'),
		...(isFiltered(filter) ? [hint(showKey(keyNameOf('compute.removeLast')), 'undo')] : []),
	];
};

/**
 * Two lines. The first is the chips; while the user types or the query has an error, it is the
 * query with its invalid part marked. The second is the error.
 */
const queryLines = (
	{compute, view, fault, filtering, filter, narrowed, grouping}: Props,
	width: number,
): {readonly lines: readonly [string, string]; readonly x: number} => {
	const {text, x} = lineField(view.filter, width - 4);
	const isEmpty = (compute.value?.items.length ?? 0) === 0;
	const below = fault ? paint('bad', cut(label(fault.error, 400), width - 4)) : '';
	if (!filtering && fault === null)
		return {
			lines: [chipLine(filter, narrowed, isEmpty ? [] : filterHints(filter, grouping), width), ''],
			x: 0,
		};
	const hint =
		filtering && view.filter.text === ''
			? 'gpu:h100  n>=2  vram>=80  price<3  region:europe  host:aws  avail  cpu  or any text'
			: '';
	return {
		lines: [
			` ${paint('accent', '/')} ${filtering ? text : paint('bad', text.trimEnd())}`,
			`   ${below === '' ? paint('dim', cut(hint, width - 4)) : below}`,
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
	const groups = rows.filter(({kind}) => kind === 'group').length;
	const title =
		` ${screenTitle('Compute', focused)}${compute.value ? ` ${countOf(narrowed.rows.length, all)}` : ''}` +
		(grouping === null ? '' : ` ${paint('dim', '·')} ${groupCount(grouping, groups)}`) +
		(marked.size > 0 ? ` ${paint('dim', '·')} ${marked.size} marked` : '') +
		(watching === '' ? '' : ` ${paint('dim', '·')} ${paint('busy', watching)}`) +
		(changes ? ` ${paint('dim', '·')} ${paint('dim', changeText(changes, measured))}` : '') +
		(unreadable > 0 ? ` ${paint('dim', '·')} ${paint('bad', `${unreadable} unreadable`)}` : '') +
		' ';
	const beside = roomBeside(width, rows);
	const tableWidth = beside > 0 ? width - beside - BETWEEN : width;
	const allRoom = tableRoom(width, height, rows);
	const failed =
		all > 0 ? failureBelowRows(compute, connection, {width, now, most: Math.floor(allRoom / 2)}) : [];
	const room = Math.max(1, allRoom - failed.length);
	const age = freshness(compute, now);
	// If the whole list is visible, the cursor alone shows the position.
	const right = rows.length > room ? ageMark(cursor, rows.length, age) : age;
	const top = titleRule({left: title, right, focused, width: tableWidth});
	const query = queryLines(props, tableWidth);
	const columns = computeColumns(within, chosen);
	const heads = computeHeads(sort.key, sort.direction, chosen);
	const from = windowAround(cursor, room, rows.length);
	const dearest = rows.reduce(
		(most, row) => (row.kind === 'group' && row.group.high > most ? row.group.high : most),
		0,
	);
	const before = leadingCells(grouping);
	const gap = wantedWidth(columns, measured, WIDE_GAP, before) <= BESIDE.list ? WIDE_GAP : GAP;
	const {head: offerHead, lines} = tableLines<ComputeRow>({
		columns,
		heads,
		all: rows,
		measured,
		gap: width >= BESIDE.wide ? gap : GAP,
		before,
		from,
		height: room,
		cursor,
		focused,
		width: tableWidth,
		stale: isFailing(compute),
		isMuted: row => row.kind === 'offer' && !isUp(row.option, within),
		marks: row => [
			row.kind !== 'offer'
				? ' '
				: marked.has(row.offer)
					? paint('accent', glyph.chosen)
					: changeMark(changes, row),
			row.kind === 'offer' ? ' ' : '',
		],
		whole: row =>
			row.kind === 'group'
				? cut(
						groupLine(row, grouping === 'region' ? variants : NO_VARIANTS, dearest, tableWidth - 4),
						tableWidth - 4,
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
	const group = onCursor?.kind === 'group' ? onCursor.group : undefined;
	// The column titles are those of the row with the cursor: a group or an option.
	const head =
		rows.length === 0
			? ''
			: group && grouping
				? paint('dim', groupHead(grouping, dearest, tableWidth - 4))
				: offerHead;
	const above = [top, ...query.lines, head];
	const field = filtering && <CursorAt x={query.x} y={BODY_TOP + 1} />;
	if (beside > 0) {
		return (
			<Box flexDirection="column">
				{field}
				<WithDetail
					above={above}
					list={list}
					title={label(detail ? computeIdOf(detail.option).id : (group?.name ?? ''), beside)}
					detail={
						detail
							? detailBeside(detail, beside, height - failed.length - 1)
							: group
								? groupDetail(group, beside)
								: []
					}
					width={tableWidth}
					room={beside}
					height={height - failed.length}
				/>
				{failed.length > 0 && <Rows height={failed.length} lines={failed} />}
			</Box>
		);
	}
	const about = detail ? detailBelow(detail, width - 2) : group ? groupBelow(group, width - 2) : [];
	const below = width < BESIDE.from && rows.length > 0 ? ['', ...about.map(line => ` ${line}`)] : [];
	const shown = Math.min(room, height - above.length);
	return (
		<Box flexDirection="column">
			{field}
			<Rows height={above.length} lines={above} />
			<Rows list={ALL_ROWS} height={shown} lines={list} />
			<Rows height={Math.max(0, height - above.length - shown)} lines={[...failed, ...below]} />
		</Box>
	);
};
