import type {ServerItem} from '../../../contract/servers.ts';
import type {ListView} from '../../../store/lists.ts';
import type {Listing, Remote} from '../../../store/remote.ts';
import type {Connection} from '../../../store/session.ts';
import {label} from '../../../text/safe.ts';
import {cellWidth} from '../../../text/width.ts';
import {countOf, filterMark} from '../../components/filter-mark.ts';
import {failureLines, freshness, insteadOfRows} from '../../components/remote-line.ts';
import {Rows} from '../../components/rows.tsx';
import {windowAround} from '../../components/scroll.ts';
import {tableLines, type Column} from '../../components/table.ts';
import {CursorAt} from '../../frame/cursor.tsx';
import {glyph} from '../../theme/glyphs.ts';
import {paint} from '../../theme/theme.ts';
import {statePlain, stateRole} from './server-state.ts';

type Props = {
	readonly servers: Remote<Listing<ServerItem>>;
	/** Those that pass the filter. */
	readonly rows: readonly ServerItem[];
	readonly view: ListView;
	/** The filter field has the keys. */
	readonly filtering: boolean;
	readonly connection: Connection;
	/** Rate per hour by server: from create and start, else the catalogue's. */
	readonly rateOf: (server: ServerItem) => number | undefined;
	readonly cursor: number;
	readonly focused: boolean;
	readonly now: number;
	readonly width: number;
	readonly height: number;
};

const columns = (rateOf: Props['rateOf']): readonly Column<ServerItem>[] => [
	{head: 'NAME', value: row => label(row.name), max: 48},
	{
		head: 'STATE', value: row => statePlain(row.status), style: (row, cell) => {
			const role = stateRole(row.status);
			return role === null ? cell : paint(role, cell);
		},
	},
	{head: 'ENVIRONMENT', value: row => label(row.environment), max: 24},
	{head: 'COMPUTE', value: row => label(row.server_request), max: 36},
	{head: 'RATE /H', value: row => rateOf(row)?.toFixed(2) ?? glyph.none, right: true},
	{head: 'PORT', value: row => String(row.port), right: true, drop: 1},
];

/** What a newcomer presses next. */
const nextStep = (items: readonly ServerItem[], selected: ServerItem | undefined): string => {
	if (selected === undefined) return '';
	const key = (name: string): string => paint('accent', name);
	const name = paint('own', label(selected.name, 40));
	if (selected.status === 'ready') return `   ${name} is ready: ${key('4')} its files, ${key('5')} run Python, ${key('6')} ask the assistant`;
	if (selected.status === 'offline') return `   Press ${key('s')} to start ${name}${items.length === 1 ? ', then 5 to run Python on it' : ''}`;
	return `   ${name} is ${label(selected.status, 20)} …`;
};

/** The list of servers: title, table, what to press next, and what went wrong. */
export const ServersView = ({servers, rows, view, filtering, connection, rateOf, cursor, focused, now, width, height}: Props) => {
	const items = servers.value?.items ?? [];
	const ready = items.filter(server => server.status === 'ready');
	const spent = ready.reduce((sum, server) => sum + (rateOf(server) ?? 0), 0);
	const unreadable = servers.value?.unreadable ?? 0;
	const count = ` ${paint('heading', 'Servers')} ${servers.value ? countOf(rows.length, items.length) : ''}`;
	const mark = filterMark(view, filtering);
	const title = `${count}${mark.text}   ${ready.length} ready   ${paint('dim', 'now')} ${spent.toFixed(2)} /h`
		+ (unreadable > 0 ? `   ${paint('bad', `${unreadable} unreadable`)}` : '');
	const age = `${freshness(servers, now)} `;
	const failed = items.length > 0 ? failureLines(servers, width) : [];
	const room = height - 4 - failed.length;
	const {head, lines} = tableLines({columns: columns(rateOf), all: rows, from: windowAround(cursor, room, rows.length), height: room, cursor, focused, width});
	const body = rows.length > 0 ? [...lines, '', ...failed, nextStep(items, rows[cursor])] : insteadOfRows(servers, connection, items.length > 0 ? 'No server has this text. U shows all again.' : 'No server yet. Press c to create one.', width);
	return (
		<>
			{filtering && <CursorAt x={cellWidth(count) + mark.x} y={2}/>}
			<Rows height={height} lines={[title + ' '.repeat(Math.max(1, width - cellWidth(title) - cellWidth(age))) + age, head, ...body]}/>
		</>
	);
};
