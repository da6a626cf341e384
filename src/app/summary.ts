import {clockTime, spanWords} from '../text/clock.ts';
import {sumPerHour} from '../text/money.ts';
import {inState} from '../text/known.ts';
import {label} from '../text/safe.ts';
import {isOver, meaningOf} from '../text/server-states.ts';
import {commandName} from '../settings/command-name.ts';
import type {ServerItem} from '../contract/servers.ts';
import type {State, Store} from '../tui/core/program.ts';
import {replLink, EMPTY_REPL} from '../tui/repl/transcript.ts';
import {isPending, type Cell} from '../tui/cells/cell.ts';
import {linkFor} from '../tui/live/link-state.ts';
import {sessionOf} from '../run/open-kernel.ts';
import {hostOf} from '../query/own-hosts.ts';
import {totalEstimate} from '../tui/servers/costs/rentals.ts';
import {documentOf, hasChanges} from '../tui/notebook/open-notebook.ts';
import {joinNames} from '../text/join-names.ts';

/** Maximum number of servers that are named with their state. */
const MOST_STATES = 3;

const namesOf = (servers: readonly {readonly name: string}[]): string =>
	joinNames(servers.map(({name}) => name));

/** Servers that the local service retains after this program. */
export type RetainedSummary = {
	/** Servers whose kernels hold variables. Null if the service did not report them. */
	readonly names: readonly string[] | null;
	/** True if no other program uses the service. */
	readonly isLast: boolean;
	/** Time for which they are retained after the last program has ended, in ms. */
	readonly span: number;
	readonly asks: boolean;
};

/** Sentence about retained servers: for how long they are retained, and how to stop them. */
const stayingWords = (staying: RetainedSummary | null): string => {
	if (staying === null || staying.names === null || staying.names.length === 0) return '';
	const {names, isLast, span} = staying;
	const [stays, them] = names.length === 1 ? ['stays', 'it'] : ['stay', 'them'];
	const until = isLast
		? `until ${clockTime(Date.now() + span)}`
		: `while another program uses the local service, then ${spanWords(span)} more`;
	return `${joinNames(names)} ${stays} ${until}. To stop ${them} now: ${commandName()} local stop\n`;
};

const cellsText = (count: number): string => `${count} ${count === 1 ? 'cell' : 'cells'}`;

/** Number of cells that a kernel runs or holds. */
const withKernel = (cells: Iterable<Pick<Cell, 'state'>>): number =>
	[...cells].filter(({state}) => state !== 'queued' && isPending({state})).length;

/** Documents of a server with cells that a kernel runs or holds, and the number of these cells. */
const busyDocuments = (
	state: State,
	name: string,
): readonly {readonly name: string; readonly count: number; readonly isLive: boolean}[] => {
	const link = state.links.get(name);
	const repl = state.repls.get(name) ?? EMPTY_REPL;
	const notebooks = [...state.notebooks.values()].filter(({server}) => server === name);
	return [
		{
			name: `The REPL of ${label(name, 60)}`,
			count: withKernel(repl.cells),
			isLive: replLink(state, name)?.kind === 'live',
		},
		...notebooks.map(open => ({
			name: label(open.path, 200),
			count: withKernel(open.runs.values()),
			isLive: linkFor(link, sessionOf(documentOf(open)))?.kind === 'live',
		})),
	].filter(({count}) => count > 0);
};

const isBusy = (state: State, name: string): boolean => busyDocuments(state, name).length > 0;

/** Sentences on cells that run without this program. */
const goesOnText = (documents: ReturnType<typeof busyDocuments>): string =>
	documents.map(({name, count}) => `${name} keeps running: ${cellsText(count)}.\n`).join('');

/** Sentence on servers on hosts, which keep running without the local service. */
const hostWords = (state: State, servers: readonly ServerItem[]): string => {
	const [first] = servers;
	if (first === undefined) return '';
	const all = joinNames(servers.map(each => `${label(each.name, 60)} on ${label(hostOf(each) ?? '', 60)}`));
	const cost = sumPerHour(totalEstimate(state, servers, Date.now()));
	return `Still running: ${all}, ${cost}. Stop one with: ${commandName()} server stop ${label(first.name, 60)}\n`;
};

/** Sentences on servers of the local service, which cost nothing. */
const localWords = (state: State, alive: readonly ServerItem[], staying: RetainedSummary | null): string => {
	const onHosts = alive.filter(server => hostOf(server) !== null);
	const here = alive.filter(server => !onHosts.includes(server));
	const lasts = state.connection.status === 'ready' && state.connection.lasts === true;
	const stays = new Set(staying?.names);
	// Code on the live link keeps running although its output is not read. Code that runs through
	// the service stops.
	const busy = here.flatMap(server => busyDocuments(state, server.name).map(each => ({...each, server})));
	const goesOn = busy.filter(({server, isLive}) => (lasts || stays.has(server.name)) && isLive);
	const stopped = here.filter(server => busy.some(each => each.server === server && !goesOn.includes(each)));
	const going = here.filter(({name}) => !stays.has(name));
	const isOne = going.length === 1;
	const what = lasts
		? `${isOne ? 'keeps' : 'keep'} running: the local service was started with svc-tui serve and stops ${isOne ? 'it' : 'them'} when it exits or after long inactivity`
		: staying?.names === null
			? `${isOne ? 'ends' : 'end'} with the local service, ${spanWords(staying.span)} after its last program exits at the latest`
			: `${isOne ? 'ends' : 'end'} ${stays.size === 0 ? 'with the local service ' : ''}when its last program exits`;
	return [
		stopped.length === 0 ? '' : `Running code on ${namesOf(stopped)} was stopped.\n`,
		goesOnText(goesOn),
		going.length === 0 ? '' : `${namesOf(going)} ${what}; files are kept.\n`,
		stayingWords(staying),
		hostWords(state, onHosts),
	].join('');
};

const remoteWords = (state: State, alive: readonly ServerItem[]): string => {
	const {servers, serviceName} = state;
	if (servers.value === undefined && servers.failure !== undefined)
		return `Could not check ${label(serviceName, 60)}: the list of servers did not arrive, so servers may still be running and costing money.\n`;
	const unread = servers.value?.unreadable ?? 0;
	const unknown =
		unread === 0
			? ''
			: `${unread === 1 ? 'One entry' : `${unread} entries`} in the list of ${label(serviceName, 60)} could not be read; servers may still be running and costing money.\n`;
	if (alive.length === 0) return unknown;
	const goesOn = alive.flatMap(({name}) => busyDocuments(state, name).filter(({isLive}) => isLive));
	const busy = namesOf(
		alive.filter(({name}) => isBusy(state, name) && !busyDocuments(state, name).every(({isLive}) => isLive)),
	);
	const ready = alive.filter(({status}) => status === 'ready');
	const total = totalEstimate(state, ready, Date.now());
	const still =
		ready.length > 0
			? `Still ready: ${namesOf(ready)}${total.rate > 0 || total.unknown > 0 ? `, ${sumPerHour(total)}` : ''}`
			: '';
	const isStarting = ({name, status}: ServerItem): boolean =>
		state.awaited.has(name) || meaningOf(status) === 'coming';
	const coming = alive.filter(server => server.status !== 'ready' && isStarting(server));
	const changing = coming.length > 0 ? `Not ready yet: ${namesOf(coming)}, at an unknown rate` : '';
	const others = alive
		.filter(server => server.status !== 'ready' && !isStarting(server))
		.map(server => `${label(server.name, 60)} is ${inState(server.status)}`);
	const other = others.slice(0, MOST_STATES).join(', ');
	const more = others.length > MOST_STATES ? ` and ${others.length - MOST_STATES} more in other states` : '';
	const rate = others.length > 0 ? ', at an unknown rate' : '';
	return `${[still, changing, other + more + rate, busy === '' ? '' : `code may still be running on ${busy}`].filter(part => part !== '').join('; ')}\n${goesOnText(goesOn)}${unknown}`;
};

const waitingWords = (count: number, name: string): string =>
	count === 0 ? '' : `${count} waiting cell${count === 1 ? '' : 's'} of ${label(name, 200)} will not run.\n`;

/** Sentences about cells that were waiting here and are lost with the program. */
const unsentCells = ({repls, notebooks}: State): string =>
	[
		...[...repls].map(([server, repl]) =>
			waitingWords(repl.cells.filter(({state}) => state === 'queued').length, server),
		),
		...[...notebooks.values()].map(({path, runs}) =>
			waitingWords([...runs.values()].filter(({state}) => state === 'queued').length, path),
		),
	].join('');

/** Text printed after the screens have ended. Empty if nothing is running. */
export const summary = (store: Store, staying: RetainedSummary | null): string => {
	const state = store.getState();
	const unsaved = state.saving
		.map(path => `${label(path, 200)} was still being saved. Your text is kept; :edits shows it next time.\n`)
		.join('');
	const changed = [...state.notebooks.values()]
		.filter(open => hasChanges(open) && !state.saving.includes(open.path))
		.map(
			({path, copy, isCopyBehind}) =>
				`${label(path, 200)} was not saved${copy === null ? ', and your changes could not be kept' : isCopyBehind ? '. Your latest changes could not be kept; :edits shows the earlier copy next time' : '. Your text is kept; :edits shows it next time'}.\n`,
		)
		.join('');
	const alive = (state.servers.value?.items ?? []).filter(({status}) => !isOver(status));
	return `${unsaved}${changed}${unsentCells(state)}${state.isLocal ? localWords(state, alive, staying) : `${remoteWords(state, alive)}${stayingWords(staying)}`}`;
};
