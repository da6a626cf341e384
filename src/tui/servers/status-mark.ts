import {perHour} from '../../text/money.ts';
import {knownText} from '../../text/known.ts';
import {label} from '../../text/safe.ts';
import {cellWidth, cut} from '../../text/width/width.ts';
import type {State} from '../core/program.ts';
import type {Workspace} from '../core/feature.ts';
import {paint} from '../core/theme/theme.ts';
import {lastResult} from '../core/store/last-result.ts';
import {isCharged} from '../../text/charged.ts';
import type {ServerItem} from '../../contract/servers.ts';
import {rateNow} from './costs/rentals.ts';
import {findServer} from './servers.ts';
import {stateText} from './state.ts';

/** Width of the mark and the text of a usual state, in cells. */
const STATE = 12;
const LEAST_NAME = 6;

const longestName = lastResult((items: readonly ServerItem[]): number =>
	items.reduce((most, {name}) => Math.max(most, cellWidth(label(name))), 0),
);
const NONE: readonly ServerItem[] = [];

/**
 * Width for any server of the list in any state, so that tabs do not move when a state or the
 * highlight changes.
 */
const width = ({servers, lastServers}: State): number =>
	longestName(servers.value?.items ?? lastServers?.items ?? NONE) + STATE + 3;

/** The current server and its state. Always shown, because all typed text goes to that server. */
const text = (state: State, room: number): string => {
	const list = state.servers.value;
	const isKnown = list !== undefined;
	if (state.current === null)
		return paint(
			'dim',
			list?.unreadable === 0
				? 'no server '
				: !isKnown && state.servers.failure === undefined
					? 'asking … '
					: 'server ? ',
		);
	const server = findServer(state, state.current);
	const isRunning = server !== undefined && isCharged(server.status) !== false;
	const status = server ? stateText(server.status) : isKnown ? '' : paint('dim', '?');
	const whole = label(state.current);
	const cost = isRunning ? `  ${perHour(rateNow(state, server))}` : '';
	const price = cellWidth(whole) + cellWidth(status) + cellWidth(cost) + 2 <= room ? cost : '';
	const name = cut(whole, Math.max(LEAST_NAME, room - cellWidth(status) - cellWidth(price) - 2));
	return `${name} ${status}${price} `;
};

const words = (state: State): string => {
	const server = findServer(state, state.current);
	return state.current === null
		? ''
		: `${label(state.current, 60)}${server ? ` ${label(knownText(server.status), 20)}` : ''}`;
};

export const statusMark: Workspace['mark'] = {width, text, words};
