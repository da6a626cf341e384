import {sumPerHour} from '../text/money.ts';
import {label} from '../text/safe.ts';
import type {Store} from '../tui/core/program.ts';
import {EMPTY_REPL, runningCell} from '../tui/repl/cell.ts';
import {totalSpend} from '../tui/servers/rentals.ts';
import {isChanging} from '../tui/servers/slice.ts';
import {listed} from '../text/listed.ts';

const namesOf = (servers: readonly {readonly name: string}[]): string =>
	listed(servers.map(({name}) => name));

/** What is worth knowing after the screen is gone; empty when nothing runs. */
export const summary = (store: Store): string => {
	const {isLocal, connection, repls, servers, saving, ...state} = store.getState();
	const unsaved = saving
		.map(
			path =>
				`${label(path, 200)} was still being saved; what you wrote is kept, and :edits shows it at the next start.\n`,
		)
		.join('');
	const alive = (servers.value?.items ?? []).filter(
		server => server.status === 'ready' || isChanging(server.status),
	);
	if (servers.value === undefined && servers.failure !== undefined && !isLocal)
		return `${unsaved}What runs on ${label(state.serviceName, 60)}, and what it costs, is not known: its list did not arrive.\n`;
	const unread = servers.value?.unreadable ?? 0;
	const unknown =
		unread === 0 || isLocal
			? ''
			: `${unread === 1 ? 'One entry' : `${unread} entries`} of the list of ${label(state.serviceName, 60)} could not be read: what runs there, and what it costs, is not known.\n`;
	if (alive.length === 0) return unsaved + unknown;
	const names = namesOf(alive);
	const busy = alive
		.filter(({name}) => runningCell(repls.get(name) ?? EMPTY_REPL) !== undefined)
		.map(({name}) => label(name, 40))
		.join(', ');
	if (isLocal) {
		const isOne = alive.length === 1;
		const what =
			connection.status === 'ready' && connection.lasts
				? `${isOne ? 'goes' : 'go'} on: the local service was started with svc-tui serve, and ${isOne ? 'ends it' : 'ends them'} with itself or when long unused`
				: `${isOne ? 'ends' : 'end'} with the local service when its last program is gone`;
		return `${unsaved}${busy === '' ? '' : `Code that was running on ${busy} was stopped.\n`}${names} ${what}; the files are kept.\n`;
	}
	const ready = alive.filter(({status}) => status === 'ready');
	const total = totalSpend(state, ready, Date.now());
	const still =
		ready.length > 0
			? `Still ready: ${namesOf(ready)}${total.rate > 0 || total.unknown > 0 ? `, ${sumPerHour(total)}` : ''}`
			: '';
	const changing =
		ready.length < alive.length
			? `Not ready yet: ${namesOf(alive.filter(({status}) => status !== 'ready'))}`
			: '';
	return `${unsaved}${[still, changing, busy === '' ? '' : `code may still be running on ${busy}`].filter(part => part !== '').join('; ')}\n${unknown}`;
};
