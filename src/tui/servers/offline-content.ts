// Content that replaces the panes of a server that is not open: the server's state, the keys to
// press, and the content saved on this machine.
import {canStart, noServer} from './ask-to-start.ts';
import {reasonText} from './state.ts';
import {inState} from '../../text/known.ts';
import {isOver, meaningOf} from '../../text/server-states.ts';
import type {ServerItem} from '../../contract/servers.ts';
import {label} from '../../text/safe.ts';
import {wrap} from '../../text/width/wrap.ts';
import type {Rect, State} from '../core/program.ts';
import type {KeyContext, OfflineContent} from '../core/feature.ts';
import {failureBelowRows} from '../core/components/remote-line.ts';
import {keyOf} from '../core/keys/live-keys.ts';
import {screenSpec} from '../core/features.ts';
import {paint} from '../core/theme/theme.ts';
import {showKey} from '../core/frame/footer.ts';
import {refused, type Refusal} from '../core/keys/action.ts';
import {isOpen} from './opened.ts';
import {findServer} from './servers.ts';

const INDENT = 5;

/** Rows that replace a pane, with the latest failure below. */
export const standInRows = (
	said: readonly string[],
	wrong: readonly string[],
	width: number,
): readonly string[] => [
	...said.flatMap(line => wrap(line, width - INDENT - 2)).map(line => `${' '.repeat(INDENT)}${line}`),
	...(said.length > 0 && wrong.length > 0 ? [''] : []),
	...wrong.map(line => `  ${line}`),
];

/** True if the server is about to be ready: this program or another one is starting it. */
export const isComing = ({awaited, isLocal}: State, {name, status}: ServerItem): boolean =>
	awaited.has(name) || meaningOf(status) === 'coming' || (isLocal && status !== 'offline');

/**
 * True if the user may open the panes in spite of the server's state. Not for the local service,
 * which reports the states of its own servers reliably.
 */
const canTry = ({isLocal}: State, server: ServerItem | undefined): boolean =>
	server !== undefined && !isLocal && server.status !== 'ready';

/** The current server if its panes can be opened in spite of its state. */
export const tryable = (state: State): ServerItem | Refusal => {
	const server = findServer(state, state.current);
	if (server === undefined) return refused(noServer(state));
	return canTry(state, server) ? server : refused(`${label(server.name, 60)} is ${inState(server.status)}`);
};

const pressText = (state: State, action: 'start' | 'tryAnyway'): string =>
	paint('accent', showKey(keyOf(state, 'offline', action)));

/** Hint on how to open the panes anyway; empty for a ready server and for the local service. */
export const tryLines = (state: State, server: ServerItem): readonly string[] =>
	canTry(state, server) ? [`${pressText(state, 'tryAnyway')} tries anyway.`] : [];

/** Hint on the keys to press while a server's panes are closed, the most useful first. */
const nextLine = (state: State, server: ServerItem): string => {
	const isStopped = isOver(server.status);
	const start = `Press ${pressText(state, 'start')} to start it.`;
	const starts = !state.readOnly && canStart(server, state.isLocal) ? [start] : [];
	const tries = tryLines(state, server);
	const next = (isStopped ? [...starts, ...tries] : [...tries, ...starts]).join(' ');
	return state.readOnly
		? `This profile is read-only: it cannot be started from here. ${next}`.trimEnd()
		: next;
};

/**
 * Rows about the current server while its panes are closed. Null if the panes are open or will open
 * automatically, or if the connection failed.
 */
export const closedLines = (state: State, width: number): readonly string[] | null => {
	const {current: name, servers, connection} = state;
	const server = findServer(state, name);
	if (server === undefined || isOpen(state, name) || connection.status === 'failed') return null;
	if (isComing(state, server)) return null;
	const reason = reasonText(server);
	const needs = isOver(server.status) ? ': its files, REPL and assistant need it running' : '';
	const said = [
		`${paint('own', label(server.name, 60))} is ${inState(server.status)}${needs}.`,
		...(reason === null ? [] : [reason]),
		nextLine(state, server),
	].filter(line => line !== '');
	return standInRows(said, failureBelowRows(servers, connection, {width: width - 2}), width);
};

/** Rows around the text about the server: title, a blank row above and below it, and the rule. */
const AROUND = 4;
const FEWEST = 3;

/**
 * Saved content of the current server for the visible pane, with the screen area for its rows. Null
 * without content or without room for it.
 */
export const offlineContentIn = (
	get: () => State,
	rect: Rect,
): (OfflineContent & {readonly place: Rect}) | null => {
	const {current, screen} = get();
	const said = closedLines(get(), rect.width);
	if (current === null || said === null) return null;
	const above = said.length + AROUND;
	const place = {...rect, y: rect.y + above, height: rect.height - above};
	if (place.height < FEWEST) return null;
	const kept = screenSpec(screen).kept?.(get, current, place) ?? null;
	return kept && {...kept, place};
};

/** Saved content that the keys act on. */
export const savedContent = ({get, rect}: KeyContext): OfflineContent | Refusal =>
	offlineContentIn(get, rect) ?? refused('No saved content of this server is shown here');
