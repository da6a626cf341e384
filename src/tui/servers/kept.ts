// Under what is said of an offline server stands what this machine keeps of it.
import {reasonText} from './reason.ts';
import {label} from '../../text/safe.ts';
import {wrap} from '../../text/width/wrap.ts';
import type {Rect, State} from '../core/program.ts';
import type {Kept} from '../core/room.ts';
import {belowRows} from '../core/components/remote-line.ts';
import {keyOf} from '../core/keys/live-keys.ts';
import {screenFacts} from '../core/rooms.ts';
import {paint} from '../core/theme/theme.ts';
import {showKey} from '../core/frame/footer.ts';
import {findServer} from './slice.ts';

const INDENT = 5;

/** What is said in place of a pane, in rows, with what is wrong below it. */
export const standIn = (
	said: readonly string[],
	wrong: readonly string[],
	width: number,
): readonly string[] => [
	...said.flatMap(line => wrap(line, width - INDENT - 2)).map(line => `${' '.repeat(INDENT)}${line}`),
	...(said.length > 0 && wrong.length > 0 ? [''] : []),
	...wrong.map(line => `  ${line}`),
];

/** What is said of the current server while it is offline, in rows; null while it is not. */
export const offlineLines = (state: State, width: number): readonly string[] | null => {
	const {current: name, servers, connection, rebound, readOnly} = state;
	const server = findServer(state, name);
	if (name === null || server?.status !== 'offline' || connection.status === 'failed') return null;
	const reason = reasonText(server);
	const toStart = readOnly
		? 'This profile is read-only: it cannot be started from here.'
		: `Press ${paint('accent', showKey(keyOf({rebound}, 'offline', 'start')))} to start it.`;
	const said = [
		`${paint('own', label(name, 60))} is offline: its files, REPL and assistant need it running.`,
		...(reason === null ? [] : [reason]),
		toStart,
	];
	return standIn(said, belowRows(servers, connection, width - 2), width);
};

/** A blank row above what is said, one below it, and the rule. */
const AROUND = 3;
const FEWEST = 3;

/** What is kept of the current server for the pane on screen, and the place of its rows; null where nothing is, or no room. */
export const keptIn = (get: () => State, rect: Rect): (Kept & {readonly place: Rect}) | null => {
	const {current, screen} = get();
	const said = offlineLines(get(), rect.width);
	if (current === null || said === null) return null;
	const above = said.length + AROUND;
	const place = {...rect, y: rect.y + above, height: rect.height - above};
	if (place.height < FEWEST) return null;
	const kept = screenFacts(screen).kept?.(get, current, place) ?? null;
	return kept && {...kept, place};
};

const NOTHING = 'Nothing of this server is kept here';

/** What the keys do with what is kept. */
export const keptMoves = (get: () => State, rect: Rect) => {
	const move = (name: keyof Kept['moves']) => (): string | void => {
		const kept = keptIn(get, rect);
		return kept === null ? NOTHING : kept.moves[name]();
	};
	return {
		up: move('up'),
		down: move('down'),
		pageUp: move('pageUp'),
		pageDown: move('pageDown'),
		first: move('first'),
		last: move('last'),
		save: (): string | void => {
			const kept = keptIn(get, rect);
			return kept === null ? NOTHING : kept.save();
		},
	};
};
