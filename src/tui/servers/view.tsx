import {Box} from 'ink';
import type {ServerItem} from '../../contract/servers.ts';
import type {CachedServers} from './cached-servers.ts';
import type {Listing, Remote} from '../core/store/remote.ts';
import {moneyLine} from './costs/money-line.ts';
import {FREE, perHour} from '../../text/money.ts';
import type {TotalEstimate} from './costs/rentals.ts';
import {cellWidth} from '../../text/width/width.ts';
import {wrap} from '../../text/width/wrap.ts';
import {countOf, filterMark} from '../core/components/filter-mark.ts';
import {
	failureBelowRows,
	freshness,
	emptyOf,
	emptyStateRows,
	isFailing,
} from '../core/components/remote-line.ts';
import {invitationRows, noHits, type Invitation} from '../core/components/invitation.ts';
import {Rows} from '../core/components/rows.tsx';
import {screenTitle, titleRule} from '../core/components/pane-title.ts';
import {ageMark, withScrollMark} from '../core/components/position.ts';
import {BODY_TOP} from '../core/frame/workspace-layout.ts';
import {windowAround} from '../core/components/scroll.ts';
import {tableLines, type Column} from '../core/components/table.ts';
import {GAP} from './columns.ts';
import {CursorAt} from '../core/frame/cursor.tsx';
import {isKeyAvailable, keyFor} from '../core/keys/live-keys.ts';
import {paint} from '../core/theme/theme.ts';
import type {ListProps} from '../core/components/list-view.tsx';

type Props = ListProps<ServerItem> & {
	readonly servers: Remote<Listing<ServerItem>>;
	/** The list from an earlier run, if the service has not responded yet. */
	readonly last?: CachedServers | null;
	/**
	 * Columns, created once for the same rates and order: widths are measured again for each new
	 * array.
	 */
	readonly columns: readonly Column<ServerItem>[];
	/** Rates of the ready servers, and today's cost. */
	readonly total: TotalEstimate;
	/** Rows about the highlighted server, if no details are beside the list. */
	readonly about?: readonly string[];
	/** Summary of the compute options; null if they are not loaded. */
	readonly market?: Market | null;
	/** Servers that cost money although nothing runs, one sentence each. */
	readonly idle?: readonly string[];
	/** Daily limit of the profile; null for none. */
	readonly limit?: number | null;
	/** Lines below the table about pending starts, and the time of the next try after a failure. */
	readonly waiting: readonly string[];
};

/** Fewest rows in which hints and an error are shown; with fewer, the list gets the space. */
const LEAST_FOR_NEXT = 14;

/** Number of compute options, and the lowest price per hour. */
export type Market = {readonly count: number; readonly from: number | null};

const optionsText = ({count, from}: Market): string =>
	`${count} option${count === 1 ? '' : 's'}${from === null ? '' : ` from ${from === 0 ? FREE : perHour(from)}`}`;

/** Invitation of the screen to a user without servers. */
const noServers = (market: Market | null): Invitation => ({
	title: 'No servers yet',
	steps: [
		...(isKeyAvailable('servers.create')
			? [
					{
						key: keyFor('servers.create'),
						action: 'rent one',
						...(market !== null && {info: optionsText(market)}),
					},
				]
			: []),
		{key: keyFor('global.compute'), action: 'browse compute options'},
		{key: keyFor('global.profiles'), action: 'another service'},
	],
});

/** The list of servers: title, table, hints or pending starts, and the failure. */
export const ServersView = ({
	servers: live,
	last = null,
	rows,
	view,
	filtering,
	elsewhere = 0,
	connection,
	wait = {what: 'servers'},
	columns,
	total,
	about = [],
	market = null,
	idle = [],
	limit = null,
	waiting,
	cursor,
	focused,
	now,
	width,
	height,
}: Props) => {
	const servers: Props['servers'] =
		last === null ? live : {...live, value: {items: last.items, unreadable: 0, raw: []}, at: last.at};
	const items = servers.value?.items ?? [];
	const ready = items.filter(server => server.status === 'ready').length;
	const unreadable = servers.value?.unreadable ?? 0;
	const count = ` ${screenTitle('Servers', focused)}${items.length > 0 ? ` ${countOf(rows.length, items.length)}` : ''}`;
	const mark = filterMark(view, filtering);
	const isKnown = live.value !== undefined;
	// The state and cost of servers from an earlier list are unknown.
	const presently = isKnown && items.length > 0 ? ` ${paint('dim', '·')} ${ready} ready` : '';
	const broken = unreadable > 0 ? ` ${paint('dim', '·')} ${paint('bad', `${unreadable} unreadable`)}` : '';
	const left = `${count}${mark.text}${presently}${broken} `;
	const failed =
		items.length > 0 ? failureBelowRows(servers, connection, {width, now, most: Math.floor(height / 3)}) : [];
	// The current cost of servers in old rows is unknown.
	const money = isKnown && failed.length === 0 ? moneyLine(total, limit, width) : null;
	const head = money === null ? failed : [money];
	const top = head.length === 0 || height < LEAST_FOR_NEXT ? head : [...head, ''];
	const said =
		last !== null
			? failed.length > 0
				? []
				: [paint('dim', '   These rows are from then: no action is possible until the service responds.')]
			: waiting.length > 0
				? waiting
				: failed.length > 0 && height < LEAST_FOR_NEXT
					? []
					: [
							...(height < LEAST_FOR_NEXT ? [] : idle).map(each => paint('busy', ` ${each}`)),
							...about,
						].flatMap(line => wrap(line, width - 1, {hang: 1}));
	const rest = height - 3 - top.length;
	// If there are few rows, servers are more important than the hint.
	const below =
		height < LEAST_FOR_NEXT && last === null && waiting.length === 0 && rows.length > rest - said.length
			? []
			: said;
	const room = rest - below.length;
	const from = windowAround(cursor, room, rows.length);
	const table = tableLines({
		columns,
		all: rows,
		measured: items,
		from,
		height: room,
		cursor,
		focused,
		width,
		stale: last !== null || isFailing(servers),
		gap: GAP,
	});
	const age = freshness(servers, now, last !== null);
	const right =
		[rows.length > room ? ageMark(cursor, rows.length, age) : age, ''].find(
			each => cellWidth(left) + cellWidth(each) + 6 <= width,
		) ?? '';
	const list =
		rows.length > 0 ? withScrollMark(table.lines, {from, height: room, count: rows.length, width}) : [];
	const isSettled = isKnown && !isFailing(servers) && connection.status !== 'failed';
	const invitation =
		rows.length > 0 || !isSettled
			? null
			: items.length > 0
				? noHits(
						'servers',
						{clear: keyFor('servers.showAll'), edit: keyFor('servers.filter')},
						{filtering, elsewhere},
					)
				: unreadable > 0
					? null
					: noServers(market);
	// The rows about the server are at the bottom of the screen.
	const used = 2 + top.length + list.length + below.length;
	const gap = Array.from({length: Math.max(1, height - used)}, () => '');
	const under =
		rows.length > 0
			? [...gap, ...below]
			: [
					...(invitation === null
						? emptyStateRows(servers, connection, {
								...wait,
								...{width, now},
								empty: emptyOf(servers, 'servers', ''),
							})
						: invitationRows(invitation, width, room)),
					...waiting,
				];
	const heads = rows.length > 0 ? [table.head] : invitation === null ? [''] : [];
	return (
		<Box flexDirection="column">
			{filtering && <CursorAt x={1 + cellWidth(count) + mark.x} y={BODY_TOP} />}
			<Rows
				height={height}
				list={{from: 2 + top.length, end: 2 + top.length + list.length}}
				lines={[titleRule({left, right, focused, width}), ...top, ...heads, ...list, ...under]}
			/>
		</Box>
	);
};
