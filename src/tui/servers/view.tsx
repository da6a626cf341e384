import type {ServerItem} from '../../contract/servers.ts';
import type {Sort} from '../core/store/lists.ts';
import type {LastServers} from './last-servers.ts';
import type {Listing, Remote} from '../core/store/remote.ts';
import type {Spend, TotalSpend} from './rentals.ts';
import {perHour, priceText, sumPerHour} from '../../text/money.ts';
import {label} from '../../text/safe.ts';
import {cellWidth} from '../../text/width/width.ts';
import {wrap} from '../../text/width/wrap.ts';
import {countOf, filterMark} from '../core/components/filter-mark.ts';
import {belowRows, freshness, emptyOf, insteadOfRows, isFailing} from '../core/components/remote-line.ts';
import {Rows} from '../core/components/rows.tsx';
import {positionMark, withScrollMark} from '../core/components/position.ts';
import {windowAround} from '../core/components/scroll.ts';
import {tableLines, wantedWidth, type Column} from '../core/components/table.ts';
import {CursorAt} from '../core/frame/cursor.tsx';
import {isOffered, keyFor} from '../core/keys/live-keys.ts';
import {glyph} from '../core/theme/glyphs.ts';
import {paint} from '../core/theme/theme.ts';
import {statePlain, stateRole} from './state.ts';
import {knownText, numberText} from '../../text/known.ts';
import {detailWidth, type ListProps} from '../core/components/list-view.tsx';

type Props = ListProps<ServerItem> & {
	readonly servers: Remote<Listing<ServerItem>>;
	/** What an earlier program has seen, where the service has not answered yet. */
	readonly last?: LastServers | null;
	/** Made once for the same rates and order: widths are measured for each anew. */
	readonly columns: readonly Column<ServerItem>[];
	/** Rates of the ready servers and estimates of all. */
	readonly total: TotalSpend;
	/** How often the list is looked at. */
	readonly rhythm: string;
	/** Stands below the table: what is waited for, and when a list that failed is asked for again. */
	readonly waiting: readonly string[];
};

/** An offline server costs nothing; what another one costs is not known. */
const noMoney = ({status}: ServerItem): string => (status === 'offline' ? glyph.none : '?');

/** An estimate that leaves out what is not known to us; the space keeps the others below each other. */
const estimateText = (row: ServerItem, {estimate, atLeast}: Spend): string =>
	estimate === undefined ? `${noMoney(row)} ` : `${estimate.toFixed(2)}${atLeast ? '+' : ' '}`;

const unsortedColumns = (
	spendOf: (server: ServerItem) => Spend,
): readonly (Column<ServerItem> & {readonly key: string})[] => [
	{key: 'name', head: 'NAME', value: row => label(row.name), max: 48, least: 20},
	{
		key: 'state',
		head: 'STATE',
		value: row => statePlain(row.status),
		style: (row, cell) => {
			const role = stateRole(row.status);
			return role === null ? cell : paint(role, cell);
		},
	},
	{
		key: 'environment',
		head: 'ENVIRONMENT',
		value: row => label(knownText(row.environment)),
		max: 24,
		least: 16,
	},
	{key: 'compute', head: 'COMPUTE', value: row => label(knownText(row.server_request)), max: 36, least: 20},
	{
		key: 'rate',
		head: 'RATE /H',
		right: true,
		value(row) {
			const {rate} = spendOf(row);
			return rate === undefined ? noMoney(row) : priceText(rate);
		},
	},
	{key: 'estimate', head: 'EST.', value: row => estimateText(row, spendOf(row)), right: true, drop: 2},
	{key: 'port', head: 'PORT', value: row => numberText(row.port), right: true, drop: 1},
];

/** The head of a column tells whether the list is sorted by it, and which way. */
const sortedHead = (head: string, key: string, sort: Sort | null): string =>
	sort?.key === key ? `${head} ${sort.direction === 'ascending' ? glyph.up : glyph.down}` : head;

/** The columns of the list. The one by which it is sorted says so. */
export const serverColumns = (
	spendOf: (server: ServerItem) => Spend,
	sort: Sort | null,
): readonly Column<ServerItem>[] =>
	unsortedColumns(spendOf).map(column => ({...column, head: sortedHead(column.head, column.key, sort)}));

/** Less is too little for the fields of a server to be read in. */
const LEAST_DETAIL = 40;

/** Cells of the fields of a server beside the table, which first takes what its values need; 0 where too little is left. */
export const serverDetailWidth = (
	width: number,
	columns: readonly Column<ServerItem>[],
	items: readonly ServerItem[],
): number => detailWidth(width, wantedWidth(columns, items), LEAST_DETAIL);

/** What a newcomer presses next. */
const nextStep = (items: readonly ServerItem[], selected: ServerItem | undefined): readonly string[] => {
	if (selected === undefined) return [''];
	const key = (entry: string): string => paint('accent', keyFor(entry));
	const name = paint('own', label(selected.name, 40));
	if (selected.status === 'ready')
		return [
			`   ${name} is ready: ${key('global.files')} its files, ${key('global.repl')} ${isOffered('repl.run') ? 'run Python' : 'its cells'}, ${key('global.assistant')} ${isOffered('assistant.send') ? 'ask the assistant' : 'its conversations'}`,
		];
	if (selected.status === 'offline') {
		const reason = selected['status_reason'];
		return [
			...(typeof reason === 'string' ? [`   ${label(reason, 400)}`] : []),
			`   ${isOffered('servers.start') ? `Press ${key('servers.start')} to start ${name}${items.length === 1 ? `, then ${key('global.repl')} to run Python on it` : ''}` : `${name} is offline`}`,
		];
	}
	return [
		selected.status === ''
			? `   The service does not say how ${name} is`
			: `   ${name} is ${label(selected.status, 20)} …`,
	];
};

/** The list of servers: title, table, what to press next or is waited for, and what went wrong. */
export const ServersView = ({
	servers: live,
	last = null,
	rows,
	view,
	filtering,
	connection,
	columns,
	total,
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
	const count = ` ${paint('heading', 'Servers')} ${servers.value ? countOf(rows.length, items.length) : ''}`;
	const mark = filterMark(view, filtering);
	const isSpending = total.estimate >= 0.005 || total.rate > 0;
	const estimate = `   ${paint('dim', 'est.')} ${total.estimate.toFixed(2)}${total.atLeast ? '+' : ''}`;
	const isKnown = live.value !== undefined;
	const head = `${count}${mark.text}   ${isKnown ? ready : '?'} ready   ${paint('dim', 'now')} ${isKnown ? sumPerHour(total) : perHour(undefined)}`;
	const broken = unreadable > 0 ? `   ${paint('bad', `${unreadable} unreadable`)}` : '';
	const at = positionMark(cursor, rows.length);
	const age = `${at}${freshness(servers, now, last !== null)}`;
	const title = [
		[isSpending ? `${estimate} ${paint('dim', 'since start')}` : '', `${age}${paint('dim', rhythm)}`],
		[isSpending ? `${estimate} ${paint('dim', 'since start')}` : '', age],
		[isSpending ? estimate : '', age],
		['', age],
	]
		.map(([spent = '', right = '']) => ({left: `${head}${spent}${broken}`, right}))
		.find(({left, right}) => cellWidth(left) + cellWidth(right) + 4 <= width) ?? {
		left: `${head}${broken}`,
		right: '',
	};
	const failed = items.length > 0 ? belowRows(servers, connection, width) : [];
	const below =
		last !== null
			? failed.length > 0
				? []
				: [
						paint(
							'dim',
							'   These rows are from then: nothing is done with them until the service has answered.',
						),
					]
			: waiting.length > 0
				? waiting
				: nextStep(items, rows[cursor]).flatMap(line => wrap(line, width - 1, {hang: 3}));
	const room = height - 3 - failed.length - below.length;
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
	const body =
		rows.length > 0
			? [
					...withScrollMark(table.lines, {from, height: room, count: rows.length, width}),
					'',
					...failed,
					...below,
				]
			: [
					...insteadOfRows(
						servers,
						connection,
						items.length > 0
							? `No server matches. ${keyFor('servers.showAll')} shows all again.`
							: emptyOf(
									servers,
									'servers',
									isOffered('servers.create')
										? `No server yet. Press ${keyFor('servers.create')} to create one.`
										: 'No server yet.',
								),
						width,
					),
					...waiting,
				];
	return (
		<>
			{filtering && <CursorAt x={cellWidth(count) + mark.x} y={2} />}
			<Rows
				height={height}
				lines={[
					`${title.left}${' '.repeat(Math.max(1, width - cellWidth(title.left) - cellWidth(title.right) - 1))}${title.right} `,
					table.head,
					...body,
				]}
			/>
		</>
	);
};
