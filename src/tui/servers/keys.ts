import type {ServerItem} from '../../contract/servers.ts';
import {label} from '../../text/safe.ts';
import {isOver} from '../../text/server-states.ts';
import {listOf} from '../core/components/list.ts';
import {sortActions} from '../core/components/sort-keys.ts';
import type {KeyContext} from '../core/feature.ts';
import {actionOn, actionsOf, Refusal, refused, type KeyScopes} from '../core/keys/action.ts';
import {reading, type Tab} from '../core/keys/binding-sets.ts';
import {keyFor} from '../core/keys/live-keys.ts';
import {showCosts} from '../core/ports.ts';
import type {State} from '../core/program.ts';
import {route} from '../core/store/route.ts';
import {serverAddresses} from './addresses.ts';
import {askToStart, noServer, startable} from './ask-to-start.ts';
import {serverDetailWidth, USUAL_COLUMNS} from './columns.ts';
import {reviewKeys} from './create/card-keys.ts';
import {formKeys} from './create/form-keys.ts';
import {copyForm} from './create/form.ts';
import {retainKeys} from './create/keep-dialog.tsx';
import {renting} from './create/submit.ts';
import {addressKeys} from './dialogs/addresses.tsx';
import {attachKeys} from './dialogs/attach.tsx';
import {highlightedAt} from './highlight.ts';
import {jobList} from './jobs.ts';
import {isComing, savedContent, tryable} from './offline-content.ts';
import {hostSignIn, lockedHost} from './on-host.ts';
import {hostOf} from '../../query/own-hosts.ts';
import {openServers} from './opened.ts';
import {askShutDown} from './ports.ts';
import {shownServers} from './rows.ts';
import {findServer, notListedText} from './servers.ts';

export const serversTab: Tab = {id: 'servers', title: 'Servers', jump: '1'};

export const list = listOf({
	name: 'servers',
	rowsOf: shownServers,
	idOf: server => server.name,
	cursorOf: highlightedAt,
	page: ({height}) => Math.max(1, height - 8),
	remote: state => state.servers,
});

/** The highlighted server. Undefined if the list is from an earlier run. */
const selected = (state: State): ServerItem | undefined =>
	state.servers.value === undefined ? undefined : list.selected(state);

const onServer = actionOn(({get}) => selected(get()) ?? refused(noServer(get())));

/** The highlighted server, unless it has stopped. */
const running = ({get}: KeyContext): ServerItem | Refusal => {
	const server = selected(get());
	if (server === undefined) return refused(noServer(get()));
	return isOver(server.status)
		? refused(`${label(server.name, 60)} is ${label(server.status, 20)} already`)
		: server;
};
const lockedHere = ({get}: KeyContext): string | Refusal => {
	const server = selected(get());
	return server === undefined ? refused(noServer(get())) : lockedHost(server);
};

/** True if the details are beside the list. */
const hasRoomBeside = ({rect}: KeyContext): boolean => serverDetailWidth(rect.width) > 0;

/** The current server if it can be started. */
const startableHere = ({get}: KeyContext): ServerItem | Refusal => {
	const state = get();
	const {current, servers} = state;
	const found = findServer(state, current);
	return current !== null && found === undefined && servers.value
		? refused(`${notListedText(state, label(current, 60))}: ${keyFor('global.servers')} shows your servers`)
		: startable(state, found);
};
const onSaved = actionOn(savedContent);

export const serverKeys: KeyScopes = {
	servers: {
		where: 'servers',
		name: 'Servers',
		screen: 'servers',
		actions: {
			...list.moves,
			open: onServer({
				keys: ['enter'],
				label: 'open',
				hint: true,
				run: ({name}, {get}) => route(get).chooseServer(name, 'files'),
			}),
			start: actionOn(({get}) => startable(get(), selected(get())))({
				keys: ['s'],
				label: 'start',
				also: 'boot run',
				hint: true,
				writes: true,
				run: (server, {get}) => askToStart(get, server),
			}),
			create: {
				keys: ['c'],
				label: 'rent',
				also: 'new create',
				hint: true,
				writes: true,
				run: ({get}) => renting(get).openCard(),
			},
			shutDown: actionOn(running)({
				keys: ['space .'],
				was: ['X'],
				label: 'shut down',
				also: 'stop cancel end',
				writes: true,
				now: server => (hostOf(server) !== null && server.status === 'starting' ? 'cancel' : undefined),
				run: ({name}, {get}) => askShutDown(get, name),
			}),
			signIn: actionOn(lockedHere)({
				keys: ['L'],
				label: 'sign in',
				also: 'ssh password code host',
				hint: true,
				writes: true,
				run: (host, {get}) => void hostSignIn(get).signInTo(host),
			}),
			...list.filtering,
			detail: onServer({
				keys: ['i'],
				label: 'details',
				hint: true,
				run: ({name}, at) =>
					hasRoomBeside(at)
						? route(at.get).toggleDetail()
						: route(at.get).openDialog({kind: 'server', server: name}),
			}),
			addresses: onServer({
				keys: ['o'],
				label: 'addresses',
				also: 'URL link browser',
				hint: true,
				run: ({name}, {get}) => route(get).openDialog({kind: 'addresses', server: name, at: 'url'}),
			}),
			copy: onServer({
				keys: ['y'],
				label: 'Copy the address',
				run: ({name}, {get}) => serverAddresses(get).copyAddress(name, 'url', false),
			}),
			copyWithToken: onServer({
				keys: ['Y'],
				label: 'Copy the address with its token',
				run: ({name}, {get}) => serverAddresses(get).copyAddress(name, 'url', true),
			}),
			jobs: onServer({
				keys: ['space j'],
				was: ['J'],
				label: 'Jobs of the server',
				also: 'background programs training',
				run({name}, at) {
					const {get} = at;
					void jobList(get).lookAtJobs(name);
					if (!hasRoomBeside(at)) route(get).openDialog({kind: 'server', server: name});
					else if (get().isDetailHidden) route(get).toggleDetail();
				},
			}),
			costs: {
				keys: ['$'],
				label: 'Costs over days',
				also: 'money spent price estimate',
				run: ({get}) => showCosts(get),
			},
			duplicate: onServer({
				keys: ['space n'],
				was: ['d'],
				label: 'Create a similar server',
				also: 'copy',
				writes: true,
				run: (server, {get}) =>
					route(get).openDialog({kind: 'create', form: copyForm(server, get().servers.value?.items ?? [])}),
			}),
			...sortActions('servers', state => state.columns.servers ?? USUAL_COLUMNS),
		},
	},
	offline: {
		where: 'a server that is not ready',
		name: 'This server',
		isPassing: true,
		actions: {
			start: actionOn(startableHere)({
				keys: ['s'],
				label: 'start',
				hint: true,
				writes: true,
				now: (server, {get}) => (isComing(get(), server) ? null : undefined),
				run: (server, {get}) => askToStart(get, server),
			}),
			tryAnyway: actionOn(({get}) => tryable(get()))({
				keys: ['ctrl+t'],
				label: 'try anyway',
				also: 'open',
				hint: true,
				run: ({name}, {get}) => openServers(get).tryServer(name),
			}),
			...actionsOf(reading, at => {
				const saved = savedContent(at);
				if (!(saved instanceof Refusal)) return saved.moves;
				const refuse = () => saved.reason;
				return {up: refuse, down: refuse, pageUp: refuse, pageDown: refuse, first: refuse, last: refuse};
			}),
			save: onSaved({keys: ['w'], label: 'write to a file', hint: true, run: ({save}) => save()}),
		},
	},
	addresses: addressKeys,
	form: formKeys,
	attach: attachKeys,
	keep: retainKeys,
	review: reviewKeys,
};
