import {findServer} from '../../servers/slice.ts';
import {isAsking} from '../../assistant/slice.ts';
import {EMPTY_REPL, queuedCells, runningCell} from '../../repl/slice.ts';
import {rateOf} from '../../servers/rentals.ts';
import type {Screen} from '../program.ts';
import type {ScreenFacts} from '../room.ts';
import {allScreens, isPane} from '../rooms.ts';
import {unseenIn} from '../store/seen.ts';
import {isKeyRefused} from '../store/session.ts';
import type {State} from '../program.ts';
import {perHour} from '../../../text/money.ts';
import {label} from '../../../text/safe.ts';
import {cellWidth, cut, fit} from '../../../text/width/width.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';
import {stateText} from '../../servers/state.ts';

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

type Titled = (facts: ScreenFacts) => string;
const long: Titled = ({title}) => title;
const short: Titled = ({title, short}) => short ?? title;

const tabs = (state: State, titleOf: Titled): string =>
	allScreens()
		.map(facts => {
			const text = `${facts.jump} ${titleOf(facts)}`.trim();
			return (
				(facts.id === state.screen ? paint('selected', ` ${text} `) : paint('dim', ` ${text} `)) +
				badgeOf(state, facts.id)
			);
		})
		.join('');

/** The profile, how its service stands in a mark and, where that is more than a mark tells, in words. */
const profileMark = (state: State, isShort = false): string => {
	const {
		connection: {status},
		colour,
		readOnly,
	} = state;
	const name = cut(label(state.serviceName, 24), isShort ? 12 : 24);
	const shown = colour === null ? name : paint(colour, name);
	const rule = readOnly ? ` ${paint('own', isShort ? 'r/o' : 'read-only')}` : '';
	if (isKeyRefused(state))
		return `${shown} ${paint('bad', isShort ? `${glyph.no} key` : `${glyph.no} key refused`)}${rule}`;
	// Connected is only what has answered.
	const isAnswering = status === 'ready' && state.servers.failure === undefined;
	if (isAnswering && state.servers.value !== undefined)
		return `${shown} ${paint('good', glyph.ready)}${rule}`;
	return `${shown} ${status === 'connecting' || isAnswering ? paint('busy', glyph.starting) : paint('bad', glyph.no)}${rule}`;
};

/** Cells kept for the current server, at least and at most; between them what its name and state need. */
const SERVER_ROOM = {least: 18, most: 32} as const;

const serverRoom = (state: State): number => {
	const server = findServer(state, state.current);
	const needed =
		state.current === null
			? 0
			: cellWidth(label(state.current)) + cellWidth(server ? stateText(server.status) : '') + 3;
	return Math.min(SERVER_ROOM.most, Math.max(SERVER_ROOM.least, needed));
};

/** The current server and its state; never cut away, since all that is typed goes there. */
const currentServer = (state: State, room: number): string => {
	const isKnown = state.servers.value !== undefined;
	if (state.current === null)
		return paint(
			'dim',
			isKnown ? 'no server ' : state.servers.failure === undefined ? 'asking … ' : 'server ? ',
		);
	const server = findServer(state, state.current);
	const isRunning = server !== undefined && server.status !== 'offline';
	const status = server ? stateText(server.status) : isKnown ? '' : paint('dim', '?');
	const whole = label(state.current);
	const cost = isRunning ? `  ${perHour(rateOf(state, server))}` : '';
	const price = cellWidth(whole) + cellWidth(status) + cellWidth(cost) + 2 <= room ? cost : '';
	const name = cut(whole, Math.max(8, room - cellWidth(status) - cellWidth(price) - 2));
	return `${paint('own', name)} ${status}${price} `;
};

/** The header line, exactly `width` cells: what gives way first are the long names of the tabs, then the product's, then the words about the profile. */
export const headerLine = (state: State, width: number): string => {
	const product = ` ${paint('heading', 'svc-tui')} `;
	const service = ` ${profileMark(state)}  `;
	const brief = ` ${profileMark(state, true)} `;
	const numbers = (mark: string): string =>
		mark + tabs(state, facts => (facts.id === state.screen ? short(facts) : ''));
	const titled = [
		product + service + tabs(state, long),
		product + service + tabs(state, short),
		service + tabs(state, short),
		brief + tabs(state, short),
	];
	const fits = (heads: readonly string[], room: number): string | undefined =>
		heads.find(each => cellWidth(each) + room <= width);
	const head =
		fits(titled, serverRoom(state)) ??
		fits([...titled, numbers(service)], SERVER_ROOM.least) ??
		numbers(brief);
	const right = currentServer(state, width - cellWidth(head) - 1);
	const space = width - cellWidth(head) - cellWidth(right);
	return space >= 0
		? head + ' '.repeat(space) + right
		: `${fit(head, Math.max(0, width - cellWidth(right)))}${right}`;
};
