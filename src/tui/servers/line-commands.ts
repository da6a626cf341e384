import {label} from '../../text/safe.ts';
import type {State} from '../core/program.ts';
import type {LineCommand} from '../core/feature.ts';
import {canBeServerName} from '../../contract/names.ts';
import {askToStart, canStart, isAttached} from './ask-to-start.ts';
import {newAttach, attachedServers} from './attach.ts';
import {findServer, notListedText} from './servers.ts';
import {route} from '../core/store/route.ts';
import {renting} from './create/submit.ts';
import {jobList} from './jobs.ts';
import {limitCommand} from './limits.ts';
import {serverCosts} from './costs/costs.ts';

/** Number of days for which observations are stored. */
const MOST_DAYS = 100;

const serverNames = (state: State): readonly string[] =>
	(state.servers.value?.items ?? []).map(server => server.name);

type Context = Parameters<LineCommand['run']>[0];

/** Runs a command on the named server, else on the current one. */
export const onServer =
	(run: (context: Context, server: string) => string | void) =>
	(context: Context, argument: string): string | void => {
		const name = argument || context.get().current;
		if (name === null || name === '') return 'Name a server';
		const state = context.get();
		return findServer(state, name) ? run(context, name) : notListedText(state, label(name, 60));
	};

export const serverCommands: readonly LineCommand[] = [
	{
		name: 'open',
		argument: 'server',
		does: 'Switch to a server and show its files',
		suggest: serverNames,
		run: onServer(({get}, server) => {
			route(get).chooseServer(server, 'files');
		}),
	},
	{
		name: 'start',
		argument: '[server]',
		does: 'Start a server',
		writes: true,
		suggest: state =>
			(state.servers.value?.items ?? [])
				.filter(server => canStart(server, state.isLocal))
				.map(({name}) => name),
		run: onServer(({get}, server) => askToStart(get, findServer(get(), server))),
	},
	{
		name: 'create',
		argument: '[name]',
		does: 'Create a server',
		writes: true,
		run({get}, name) {
			renting(get).openCreate({name});
		},
	},
	{
		name: 'attach',
		argument: '[name]',
		does: 'Add a running Jupyter Server to the list',
		writes: true,
		run({get}, name) {
			// Rejects text that cannot be a name: it may be an address with a token, which must
			// stay hidden.
			if (name !== '' && !canBeServerName(name, true))
				return 'Give a name of letters, digits and hyphens, or none. A form then asks for the address';
			route(get).openDialog({kind: 'attach', form: newAttach(name)});
		},
	},
	{
		name: 'detach',
		argument: 'server',
		does: 'Remove an attached server from the list; it keeps running',
		writes: true,
		suggest: state => (state.servers.value?.items ?? []).filter(isAttached).map(({name}) => name),
		run: onServer(({get}, server) => void attachedServers(get).detach(server)),
	},
	limitCommand,
	{
		name: 'jobs',
		argument: '[server]',
		does: 'Show running and ended jobs on a server',
		suggest: serverNames,
		run: onServer(({get}, server) => {
			void jobList(get).lookAtJobs(server);
			route(get).openDialog({kind: 'server', server});
		}),
	},
	{
		name: 'costs',
		argument: '[days]',
		does: 'Show the estimated cost of each server per day',
		key: 'servers.costs',
		run({get}, argument) {
			const days = argument === '' ? undefined : Number(argument);
			if (days !== undefined && !(Number.isInteger(days) && days >= 1 && days <= MOST_DAYS))
				return `Give a number of days, up to ${MOST_DAYS}`;
			void serverCosts(get).loadCosts(days);
			route(get).openDialog({kind: 'costs'});
		},
	},
	{
		name: 'addresses',
		argument: '[server]',
		does: 'Open or copy an address of a server',
		suggest: serverNames,
		run: onServer(({get}, server) => {
			route(get).openDialog({kind: 'addresses', server, at: 'url'});
		}),
	},
];
