import type {ServerItem} from '../../../contract/servers.ts';
import {newForm, offerOf} from '../../../store/create-form.ts';
import {shownServers} from '../../../store/servers.ts';
import type {State} from '../../../store/store.ts';
import {label} from '../../../text/safe.ts';
import {useList} from '../../components/use-list.ts';
import type {Rect} from '../../frame/layout.ts';
import {useKeys} from '../../keys/keys.tsx';
import {useApp, useGetState} from '../../store-context.ts';
import {useNow} from '../../use-now.ts';
import {ServersView} from './servers-view.tsx';

/** Rate per hour: what the service answered to create or start, else the catalogue's price of the same compute id. */
export const rateOfServer = (state: Pick<State, 'rates' | 'compute'>, server: ServerItem): number | undefined =>
	state.rates.get(server.name) ?? offerOf(server.server_request, state.compute.value?.items)?.hourly_price;

/** Why a server cannot be started now, or undefined. */
export const whyNotStart = (server: ServerItem | undefined): string | undefined => {
	if (server === undefined) return 'There is no server to start: c creates one';
	return server.status === 'offline' ? undefined : `${label(server.name)} is ${label(server.status)}: only an offline server can be started`;
};

export const ServersScreen = ({rect}: {readonly rect: Rect}) => {
	const get = useGetState();
	const servers = useApp(state => state.servers);
	const connection = useApp(state => state.connection);
	const rates = useApp(state => state.rates);
	const compute = useApp(state => state.compute);
	const focused = useApp(state => state.dialogs.length === 0);
	const now = useNow();
	const {rows, view, filtering, cursor, keys, selected} = useList({name: 'servers', rowsOf: shownServers, idOf: server => server.name, page: rect.height - 6});
	useKeys('servers', {
		...keys,
		open() {
			const server = selected();
			if (server === undefined) return 'There is no server to open: c creates one';
			get().chooseServer(server.name);
			get().go('files');
		},
		start() {
			const server = selected();
			const reason = whyNotStart(server);
			if (reason === undefined && server) get().openDialog({kind: 'confirm-start', server: server.name});
			return reason;
		},
		create: () => get().openDialog({kind: 'create', form: newForm()}),
	});
	return (
		<ServersView {...{servers, rows, view, filtering, connection}} rateOf={server => rateOfServer({rates, compute}, server)}
			cursor={cursor} focused={focused} now={now} width={rect.width} height={rect.height}/>
	);
};
