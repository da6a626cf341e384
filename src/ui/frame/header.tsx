import {findServer} from '../../store/servers.ts';
import {isAsking} from '../../store/assistant.ts';
import {EMPTY_REPL, queuedCells, runningCell} from '../../store/cells.ts';
import {rateOf} from '../../store/rentals.ts';
import {isPane, SCREENS, type Screen} from '../../store/route.ts';
import {unseenIn} from '../../store/seen.ts';
import {isKeyRefused} from '../../store/session.ts';
import type {State} from '../../store/store.ts';
import {perHour} from '../../text/money.ts';
import {label} from '../../text/safe.ts';
import {cellWidth, cut, fit} from '../../text/width.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';
import {stateText} from '../screens/servers/server-state.ts';

const TITLES: Readonly<Record<Screen, string>> = {
	servers: 'Servers', compute: 'Compute', environments: 'Environments', files: 'Files', repl: 'REPL', assistant: 'Assistant',
};
const SHORT: Readonly<Record<Screen, string>> = {...TITLES, servers: 'Srv', compute: 'Cmp', environments: 'Env', assistant: 'Chat'};

const NUMBERS: Readonly<Record<Screen, string>> = {servers: '', compute: '', environments: '', files: '', repl: '', assistant: ''};

/** What runs in a pane whether it is on screen or not. */
const isBusy = (state: State, screen: Screen): boolean => {
	const server = state.current ?? '';
	if (screen === 'repl') {
		const repl = state.repls.get(server) ?? EMPTY_REPL;
		return runningCell(repl) !== undefined || queuedCells(repl) > 0;
	}
	if (screen === 'assistant') return isAsking(state.conversations.get(server));
	return false;
};

/** Beside a tab: what runs in its pane, or what came of it while nobody looked. */
const badgeOf = (state: State, screen: Screen): string => {
	if (isBusy(state, screen)) return paint('busy', glyph.starting);
	const unseen = state.current !== null && isPane(screen) ? unseenIn(state, state.current, screen) : null;
	return unseen === null ? ' ' : paint(unseen, unseen === 'good' ? glyph.yes : glyph.no);
};

const tabs = (state: State, titles: Readonly<Record<Screen, string>>): string =>
	SCREENS.map((screen, index) => {
		const text = `${index + 1} ${titles[screen]}`.trim();
		return (screen === state.screen ? paint('selected', ` ${text} `) : paint('dim', ` ${text} `)) + badgeOf(state, screen);
	}).join('');

/** The profile, how its service stands in a mark and, where that is more than a mark tells, in words. */
const profileMark = (state: State, isShort = false): string => {
	const {connection: {status}, colour, readOnly} = state;
	const name = cut(label(state.serviceName, 24), isShort ? 12 : 24);
	const shown = colour === null ? name : paint(colour, name);
	const rule = readOnly ? ` ${paint('own', isShort ? 'r/o' : 'read-only')}` : '';
	if (isKeyRefused(state)) return `${shown} ${paint('bad', isShort ? `${glyph.no} key` : `${glyph.no} key refused`)}${rule}`;
	if (status === 'ready' && state.servers.failure === undefined) return `${shown} ${paint('good', glyph.ready)}${rule}`;
	return `${shown} ${status === 'connecting' ? paint('busy', glyph.starting) : paint('bad', glyph.no)}${rule}`;
};

/** Cells kept for the current server, at least and at most; between them what its name and state need. */
const SERVER_ROOM = {least: 18, most: 32} as const;

const serverRoom = (state: State): number => {
	const server = findServer(state, state.current);
	const needed = state.current === null ? 0 : cellWidth(label(state.current)) + cellWidth(server ? stateText(server.status) : '') + 3;
	return Math.min(SERVER_ROOM.most, Math.max(SERVER_ROOM.least, needed));
};

/** The current server and its state; never cut away, since all that is typed goes there. */
const currentServer = (state: State, room: number): string => {
	if (state.current === null) return paint('dim', 'no server ');
	const server = findServer(state, state.current);
	const rate = server === undefined || server.status === 'offline' ? undefined : rateOf(state, server);
	const status = server ? stateText(server.status) : '';
	const whole = label(state.current);
	const cost = rate === undefined ? '' : `  ${perHour(rate)}`;
	const price = cellWidth(whole) + cellWidth(status) + cellWidth(cost) + 2 <= room ? cost : '';
	const name = cut(whole, Math.max(8, room - cellWidth(status) - cellWidth(price) - 2));
	return `${paint('own', name)} ${status}${price} `;
};

/** The header line, exactly `width` cells: what gives way first are the long names of the tabs, then the product's, then the words about the profile. */
export const headerLine = (state: State, width: number): string => {
	const product = ` ${paint('heading', 'svc-tui')} `;
	const service = ` ${profileMark(state)}  `;
	const short = ` ${profileMark(state, true)} `;
	const numbers = (mark: string): string => mark + tabs(state, {...NUMBERS, [state.screen]: SHORT[state.screen]});
	const titled = [product + service + tabs(state, TITLES), product + service + tabs(state, SHORT), service + tabs(state, SHORT), short + tabs(state, SHORT)];
	const fits = (heads: readonly string[], room: number): string | undefined => heads.find(each => cellWidth(each) + room <= width);
	const head = fits(titled, serverRoom(state)) ?? fits([...titled, numbers(service)], SERVER_ROOM.least) ?? numbers(short);
	const right = currentServer(state, width - cellWidth(head) - 1);
	const space = width - cellWidth(head) - cellWidth(right);
	return space >= 0 ? head + ' '.repeat(space) + right : `${fit(head, Math.max(0, width - cellWidth(right)))}${right}`;
};
