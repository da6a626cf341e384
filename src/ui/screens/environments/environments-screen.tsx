import {useEffect} from 'react';
import {newForm} from '../../../store/create-form.ts';
import {shownEnvironments} from '../../../store/environments.ts';
import {useList} from '../../components/use-list.ts';
import type {Rect} from '../../frame/layout.ts';
import {useKeys} from '../../keys/keys.tsx';
import {useApp, useGetState} from '../../store-context.ts';
import {useNow} from '../../use-now.ts';
import {EnvironmentsView} from './environments-view.tsx';

export const EnvironmentsScreen = ({rect}: {readonly rect: Rect}) => {
	const get = useGetState();
	const environments = useApp(state => state.environments);
	const connection = useApp(state => state.connection);
	const servers = useApp(state => state.servers.value);
	const focused = useApp(state => state.dialogs.length === 0);
	const now = useNow();
	const {rows, view, filtering, cursor, keys, selected} = useList({name: 'environments', rowsOf: shownEnvironments, idOf: each => each.environment_id, page: rect.height - 4});
	const id = rows[cursor]?.environment_id;
	const usedBy = (servers?.items ?? []).filter(server => server.environment === id).map(server => server.name);
	useEffect(() => {
		if (get().environments.status === 'idle') void get().refreshEnvironments();
	}, [get]);
	useKeys('environments', {
		...keys,
		create() {
			const environment = selected()?.environment_id;
			if (environment === undefined) return 'There is no environment to create with';
			get().openDialog({kind: 'create', form: newForm({environment})});
		},
	});
	return <EnvironmentsView {...{environments, rows, view, filtering, connection, usedBy, cursor, focused, now}} width={rect.width} height={rect.height}/>;
};
