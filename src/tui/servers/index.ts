import type {EnvironmentContents} from '../../contract/environment-setup.ts';
import type {AddressName} from '../../query/server-addresses.ts';
import {createServer, showCosts} from '../core/ports.ts';
import {dialog, screen} from '../core/feature.ts';
import {hostSignIn} from './on-host.ts';
import {serverAddresses} from './addresses.ts';
import {attachedServers, type AttachForm, type AttachState} from './attach.ts';
import {isAsOpened, newForm, type CreateForm} from './create/form.ts';
import {MOVEMENTS} from '../core/keys/binding-sets.ts';
import type {State} from '../core/program.ts';
import {formSource} from '../core/store/draft-source.ts';
import {statusMark} from './status-mark.ts';
import {usersByEnvironment, shownServers} from './rows.ts';
import {AddressesDialog} from './dialogs/addresses.tsx';
import {AttachDialog} from './dialogs/attach.tsx';
import {KeepDialog} from './create/keep-dialog.tsx';
import {download} from './create/download-dialog.tsx';
import {PriceDialog, priceKeys} from './create/price-dialog.tsx';
import {ServerForm} from './create/dialog.tsx';
import {ServerDialog, serverReader} from './dialogs/server.tsx';
import {followHighlight} from './highlight.ts';
import {list, serverKeys, serversTab} from './keys.ts';
import {isComing} from './offline-content.ts';
import {OfflinePane} from './offline-pane.tsx';
import {openServers, isOpen, type OpenState} from './opened.ts';
import {renting, type RentingState} from './create/submit.ts';
import {costReader, CostsDialog} from './costs/costs-dialog.tsx';
import {serverCosts, type CostsState} from './costs/costs.ts';
import {jobList, type JobsState} from './jobs.ts';
import {ServersScreen} from './screen.tsx';
import {serverList, findServer, type ServersState} from './servers.ts';
import {serverFind} from './find.ts';
import {serverCommands} from './line-commands.ts';
import {route} from '../core/store/route.ts';
import {serversByEnvironment} from '../environments/ports.ts';
import {refreshFiles} from './ports.ts';

declare module '../core/program.ts' {
	interface State extends ServersState, OpenState, RentingState, AttachState, JobsState, CostsState {}
	interface Scopes {
		servers: true;
		offline: true;
		addresses: true;
		form: true;
		attach: true;
		keep: true;
		review: true;
	}
	interface Screens {
		servers: true;
	}
	interface Dialogs {
		create: {form: CreateForm};
		/** All fields of a server; `top` is the first visible row. */
		server: {server: string; top?: number};
		addresses: {server: string; at: AddressName};
		/** Costs of servers per day; `top` is the first visible row. */
		costs: {top?: number};
		attach: {form: AttachForm};
		/**
		 * Question on quitting: true if the local service should keep the variables of these
		 * servers, for a time in ms.
		 */
		keep: {
			names: readonly string[];
			span: number;
			/** Shell command that stops the local service. */
			stopCommand: string;
			decide: (isKept: boolean) => void;
		};
		/** Warning that the charged rate differs from the confirmed rate. Both are per hour. */
		price: {server: string; quoted: number; charged: number};
		/** Question about a download of packages that a start needs. `again` repeats the start. */
		download: {contents: EnvironmentContents; again: () => void};
	}
}

/** The open form for a new server. A cancelled form can be restored in the same run only. */
const createFormIn = ({dialogs}: State): CreateForm | null => {
	for (const dialog of dialogs)
		if (dialog.kind === 'create' && dialog.form.server === null) return dialog.form;
	return null;
};

/** Keys of the list that work before the list has loaded. */
const NEED_NO_LIST: ReadonlySet<string> = new Set([
	'filter',
	'showAll',
	'create',
	'costs',
	'sortNext',
	'sortPrevious',
	'turnSort',
]);

export const servers = screen({
	...serversTab,
	command: {does: 'Show the servers', hasFilter: true},
	parts: [
		serverList,
		createServer.provide((app, from) =>
			'option' in from
				? void renting(app).createWith(from.option, from.regions)
				: renting(app).openCreate(from),
		),
		showCosts.provide(app => {
			void serverCosts(app).loadCosts();
			route(app).openDialog({kind: 'costs'});
		}),
		serversByEnvironment.provide(({get}) => usersByEnvironment(get().servers.value)),
		openServers,
		renting,
		serverAddresses,
		attachedServers,
		jobList,
		serverCosts,
		hostSignIn,
	],
	keys: serverKeys,
	handlers: {filter: list.filter},
	refresh: state => void serverList(state.app).refreshServers(),
	list: ({app, servers: remote}) => ({remote, stop: () => serverList(app).stopLoading()}),
	failure: state => state.servers.failure,
	drafts: {
		create: formSource(
			createFormIn,
			form => {
				const {name, environment, compute, time, port} = form;
				return isAsOpened(form) ? null : {name, environment, compute, time, port};
			},
			// The restored form opens where the user stopped typing.
			(state, texts) => renting(state.app).keepForm({...newForm(texts), untouched: false}),
		),
	},
	commands: serverCommands,
	finds: [serverFind],
	dialogs: [
		dialog({
			kind: 'create',
			scope: ({form}) => [form.at === 'review' ? 'review' : 'form'],
			isSending: ({form}) => form.sending !== null,
			dismiss(state) {
				route(state.app).closeDialog();
			},
			Dialog: ServerForm,
		}),
		dialog({kind: 'server', scope: 'reader', handlers: {reader: serverReader}, Dialog: ServerDialog}),
		dialog({kind: 'costs', scope: 'reader', handlers: {reader: costReader}, Dialog: CostsDialog}),
		dialog({kind: 'addresses', scope: 'addresses', Dialog: AddressesDialog}),
		dialog({kind: 'attach', scope: 'attach', Dialog: AttachDialog}),
		dialog({kind: 'keep', saysKeys: () => true, scope: 'keep', Dialog: KeepDialog}),
		download,
		dialog({kind: 'price', scope: 'told', handlers: {told: priceKeys}, Dialog: PriceDialog}),
	],
	workspace: {
		list: state => state.servers,
		needsList: (state, action) =>
			!NEED_NO_LIST.has(action) &&
			// Keys that move the cursor already work on the cached list.
			!(MOVEMENTS.has(action) && shownServers(state).length > 0),
		mark: statusMark,
		isOpen: state => isOpen(state, state.current),
		isComing: state => {
			const server = findServer(state, state.current);
			return server !== undefined && isComing(state, server);
		},
		closedScope: 'offline',
		actsWhileComing: action => action === 'tryAnyway',
		refresh: state =>
			void (state.current === null
				? serverList(state.app).refreshServers()
				: refreshFiles(state.app, state.current)),
		Closed: OfflinePane,
	},
	onStart: followHighlight,
	Screen: ServersScreen,
});
