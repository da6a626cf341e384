import {Box} from 'ink';
import {meaningOf} from '../../text/server-states.ts';
import type {ServerItem} from '../../contract/servers.ts';
import type {CachedServers} from './cached-servers.ts';
import type {Listing, Remote} from '../core/store/remote.ts';
import {moneyLine} from './costs/money-line.ts';
import type {TotalEstimate} from './costs/rentals.ts';
import {hostOf} from '../../query/own-hosts.ts';
import {reasonText} from './state.ts';
import {inState} from '../../text/known.ts';
import {label} from '../../text/safe.ts';
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
import {ageMark, positionMark, withScrollMark} from '../core/components/position.ts';
import {BODY_TOP} from '../core/frame/workspace-layout.ts';
import {windowAround} from '../core/components/scroll.ts';
import {tableLines, type Column} from '../core/components/table.ts';
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
	/**
	 * True if the highlighted server is usable in its state: the user has opened it anyway, or it
	 * has responded.
	 */
	readonly isOpen?: boolean;
	/** Servers that cost money although nothing runs, one sentence each. */
	readonly idle?: readonly string[];
	/** Daily limit of the profile; null for none. */
	readonly limit?: number | null;
	/** Polling interval as text. */
	readonly rhythm: string;
	/** Lines below the table: pending starts, and the time of the next try after a failure. */
	readonly waiting: readonly string[];
};

/** Fewest rows in which hints and an error are shown; with fewer, the list gets the space. */
const LEAST_FOR_NEXT = 14;

/** Hint for newcomers on the next key. */
const nextStep = (
	items: readonly ServerItem[],
	selected: ServerItem | undefined,
	isOpen: boolean,
): readonly string[] => {
	if (selected === undefined) return [''];
	const key = (entry: string): string => paint('accent', keyFor(entry));
	const name = paint('own', label(selected.name, 40));
	const reason = reasonText(selected);
	const why = reason === null ? [] : [`   ${reason}`];
	if (selected.status === 'ready' || (isOpen && hostOf(selected) === null))
		return [
			...why,
			`   ${name} is ${inState(selected.status)}: ${key('global.files')} show its files, ${key('global.repl')} ${isKeyAvailable('repl.run') ? 'run Python' : 'show its cells'}, ${key('global.assistant')} ${isKeyAvailable('assistant.send') ? 'ask the assistant' : 'show its conversations'}`,
		];
	if (selected.status === 'offline') {
		return [
			...why,
			`   ${isKeyAvailable('servers.start') ? `Press ${key('servers.start')} to start ${name}${items.length === 1 ? `, then ${key('global.repl')} to run Python on it` : ''}` : `${name} is offline`}`,
		];
	}
	const meaning = meaningOf(selected.status);
	if (hostOf(selected) !== null && meaning !== 'ending') {
		const ends = isKeyAvailable('servers.shutDown')
			? [`${key('servers.shutDown')} ${meaning === 'coming' ? 'cancels the start' : 'shuts it down'}`]
			: [];
		const opens =
			selected.status === 'locked' && isKeyAvailable('servers.signIn')
				? [`${key('servers.signIn')} signs in to its host`]
				: [];
		return [...why, `   ${name} is ${label(selected.status, 20)}: ${[...opens, ...ends].join(', ')}`];
	}
	if (meaning === 'coming' || meaning === 'ending')
		return [...why, `   ${name} is ${label(selected.status, 20)} …`];
	const state =
		selected.status === ''
			? `The service does not say how ${name} is`
			: `${name} is ${label(selected.status, 20)}`;
	const start = isKeyAvailable('servers.start') ? [`${key('servers.start')} starts it`] : [];
	const tries = `${key('global.files')} ${key('global.repl')} ${key('global.assistant')} and then ${key('offline.tryAnyway')} try it anyway`;
	const steps = meaning === 'over' ? [...start, tries] : [tries, ...start];
	return [...why, `   ${state}: ${steps.join(', ')}`];
};

/** Invitation of the screen to a user without servers. */
const noServers = (): Invitation => ({
	title: 'No server yet',
	steps: [
		...(isKeyAvailable('servers.create') ? [{key: keyFor('servers.create'), action: 'rent one'}] : []),
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
	isOpen = false,
	idle = [],
	limit = null,
	rhythm,
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
	const count = ` ${screenTitle('Servers', focused)}${servers.value ? ` ${countOf(rows.length, items.length)}` : ''}`;
	const mark = filterMark(view, filtering);
	const isKnown = live.value !== undefined;
	// The state and cost of servers from an earlier list are unknown.
	const presently = isKnown ? ` ${paint('dim', '·')} ${ready} ready` : '';
	const broken = unreadable > 0 ? ` ${paint('dim', '·')} ${paint('bad', `${unreadable} unreadable`)}` : '';
	const left = `${count}${mark.text}${presently}${broken} `;
	const age = ageMark(cursor, rows.length, freshness(servers, now, last !== null));
	const right =
		[`${age}${paint('dim', rhythm)}`, age, positionMark(cursor, rows.length)].find(
			each => cellWidth(left) + cellWidth(each) + 6 <= width,
		) ?? '';
	const money = isKnown ? moneyLine(total, limit, width) : null;
	const top = money === null ? [] : height < LEAST_FOR_NEXT ? [money] : [money, ''];
	const failed =
		items.length > 0 ? failureBelowRows(servers, connection, {width, now, most: Math.floor(height / 3)}) : [];
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
							...nextStep(items, rows[cursor], isOpen),
							...(height < LEAST_FOR_NEXT ? [] : idle).map(each => paint('busy', `   ${each}`)),
						].flatMap(line => wrap(line, width - 1, {hang: 3}));
	const rest = height - 3 - top.length - failed.length;
	// If rows are few, the servers are more important than the hint.
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
	});
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
					: noServers();
	const under =
		rows.length > 0
			? ['', ...failed, ...below]
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
