import {Box} from 'ink';
import {useEffect, useMemo} from 'react';
import {copyForm, newForm} from '../../../store/create-form.ts';
import {spendOf, totalSpend} from '../../../store/rentals.ts';
import {SERVER_SORT_KEYS, shownServers} from '../../../store/server-rows.ts';
import {isFailing} from '../../components/remote-line.ts';
import {Divider, Rows} from '../../components/rows.tsx';
import {sortKeys} from '../../components/sort-keys.ts';
import {useList} from '../../components/use-list.ts';
import type {Rect} from '../../frame/layout.ts';
import {useKeys} from '../../keys/keys.tsx';
import {useApp, useGetState} from '../../store-context.ts';
import {paint} from '../../theme/theme.ts';
import {useNow} from '../../use-now.ts';
import {askToStart} from './ask-to-start.ts';
import {detailLines} from './server-detail.ts';
import {serverColumns, ServersView} from './servers-view.tsx';
import {waitLines} from './wait-lines.ts';

/** From this width on the fields of the server under the cursor stand beside the table. */
const BESIDE = 120;
/** Cells of them: a third, within these bounds. */
const DETAIL = {least: 38, most: 64} as const;
const SECOND = 1000;

const clockTime = (at: number): string => new Date(at).toTimeString().slice(0, 8);

export const ServersScreen = ({rect}: {readonly rect: Rect}) => {
	const get = useGetState();
	const servers = useApp(state => state.servers);
	const connection = useApp(state => state.connection);
	const rentals = useApp(state => state.rentals);
	const compute = useApp(state => state.compute);
	const environments = useApp(state => state.environments);
	const awaited = useApp(state => state.awaited);
	const nextLook = useApp(state => state.nextLook);
	const isDetailHidden = useApp(state => state.isDetailHidden);
	const focused = useApp(state => state.dialogs.length === 0);
	const now = useNow(awaited.size > 0 ? SECOND : undefined);
	const {rows, view, filtering, cursor, keys, selected} = useList({name: 'servers', rowsOf: shownServers, idOf: server => server.name, page: rect.height - 6});
	const isBeside = rect.width >= BESIDE && !isDetailHidden && rows.length > 0;
	useEffect(() => {
		if (get().environments.status === 'idle' && servers.status === 'ready') void get().refreshEnvironments();
	}, [get, servers.status]);
	const none = 'There is no server here: c creates one';
	useKeys('servers', {
		...keys,
		...sortKeys(get, 'servers', SERVER_SORT_KEYS),
		open() {
			const server = selected();
			if (server === undefined) return 'There is no server to open: c creates one';
			get().chooseServer(server.name);
			get().go('files');
		},
		start: () => askToStart(get, selected()),
		create() {
			get().openDialog({kind: 'create', form: get().keptForm ?? newForm()});
			// Closed with a name in it, it is kept again.
			get().keepForm(null);
		},
		duplicate() {
			const server = selected();
			if (server === undefined) return none;
			get().openDialog({kind: 'create', form: copyForm(server, get().servers.value?.items ?? [])});
		},
		detail() {
			const server = selected();
			if (server === undefined) return none;
			if (rect.width >= BESIDE) get().toggleDetail();
			else get().openDialog({kind: 'server', server: server.name});
		},
		addresses() {
			const server = selected();
			if (server === undefined) return none;
			get().openDialog({kind: 'addresses', server: server.name, at: 'url'});
		},
		copy() {
			const server = selected();
			return server === undefined ? none : get().copyAddress(server.name, 'url', false);
		},
		copyWithToken() {
			const server = selected();
			return server === undefined ? none : get().copyAddress(server.name, 'url', true);
		},
	});
	const known = {rentals, compute, environments, awaited};
	const columns = useMemo(() => serverColumns(each => spendOf({rentals, compute}, each, now), view.sort), [rentals, compute, now, view.sort]);
	const total = useMemo(() => totalSpend({rentals, compute}, servers.value?.items ?? [], now), [rentals, compute, servers.value, now]);
	const server = rows[cursor];
	const detail = isBeside ? Math.max(DETAIL.least, Math.min(DETAIL.most, Math.floor(rect.width / 3))) : 0;
	const width = isBeside ? rect.width - detail - 3 : rect.width;
	const isChanging = nextLook !== null && servers.at !== undefined && nextLook - servers.at < 20_000;
	const rhythm = isFailing(servers) || nextLook === null || servers.at === undefined ? '' : `, every ${isChanging ? 5 : 30} s`;
	const again = isFailing(servers) && nextLook !== null ? [`   Asked again at ${clockTime(nextLook)}; ${paint('accent', 'R')} asks now.`] : [];
	const table = (
		<ServersView {...{servers, rows, view, filtering, connection, rhythm, cursor, focused, now}} columns={columns} total={total}
			waiting={[...again, ...waitLines(awaited, servers.value?.items ?? [], now)]} width={width} height={rect.height}/>
	);
	if (!isBeside || server === undefined) return table;
	return (
		<Box>
			<Box width={width} flexShrink={0}>{table}</Box>
			<Box width={2} flexShrink={0}><Divider height={rect.height}/></Box>
			<Rows height={rect.height} lines={detailLines(server, known, now, detail)}/>
		</Box>
	);
};
