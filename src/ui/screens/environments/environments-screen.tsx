import {useEffect} from 'react';
import {newForm} from '../../../store/create-form.ts';
import {clamp, movements} from '../../components/scroll.ts';
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
	const stored = useApp(state => state.environmentCursor);
	const focused = useApp(state => state.dialogs.length === 0);
	const now = useNow();
	const items = environments.value?.items ?? [];
	const cursor = clamp(stored, 0, Math.max(0, items.length - 1));
	const id = items[cursor]?.environment_id;
	const usedBy = (servers?.items ?? []).filter(server => server.environment === id).map(server => server.name);
	useEffect(() => {
		if (get().environments.status === 'idle') void get().refreshEnvironments();
	}, [get]);
	useKeys('environments', {
		...movements(() => get().environmentCursor, items.length, rect.height - 4, get().moveEnvironmentCursor),
		create() {
			const environment = items[clamp(get().environmentCursor, 0, items.length - 1)]?.environment_id;
			if (environment === undefined) return 'There is no environment to create with';
			get().openDialog({kind: 'create', form: newForm({environment})});
		},
	});
	return <EnvironmentsView {...{environments, connection, usedBy, cursor, focused, now}} width={rect.width} height={rect.height}/>;
};
