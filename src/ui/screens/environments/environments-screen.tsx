import {useEffect, useMemo, useRef, useState} from 'react';
import type {Environment} from '../../../contract/environments.ts';
import {newForm} from '../../../store/create-form.ts';
import {shownEnvironments} from '../../../store/environments.ts';
import {clamp} from '../../components/scroll.ts';
import {useList} from '../../components/use-list.ts';
import type {Rect} from '../../frame/layout.ts';
import {useKeys} from '../../keys/keys.tsx';
import {useApp, useGetState} from '../../store-context.ts';
import {useNow} from '../../use-now.ts';
import {descriptionLines, environmentWidths, EnvironmentsView, LONGEST} from './environments-view.tsx';

export const EnvironmentsScreen = ({rect}: {readonly rect: Rect}) => {
	const get = useGetState();
	const environments = useApp(state => state.environments);
	const connection = useApp(state => state.connection);
	const servers = useApp(state => state.servers.value);
	const focused = useApp(state => state.dialogs.length === 0);
	const now = useNow();
	const {rows, view, filtering, cursor, keys, selected} = useList({name: 'environments', rowsOf: shownEnvironments, idOf: each => each.environment_id, page: rect.height - 4});
	const environment = rows[cursor];
	const usedBy = useMemo(() => Map.groupBy(servers?.items ?? [], server => server.environment), [servers]);
	const names = useMemo(() => new Map([...usedBy].map(([id, users]) => [id, users.map(server => server.name)])), [usedBy]);
	const {description: width} = environmentWidths(rect.width);
	// How far the description is scrolled, for as long as the cursor stays on it.
	const scrolled = useRef({id: '', top: 0});
	const [, draw] = useState(0);
	const topOf = (id: string | undefined): number => (scrolled.current.id === id ? scrolled.current.top : 0);
	const linesOf = (each: Environment | undefined, length: number): readonly string[] => descriptionLines(each, names.get(each?.environment_id ?? '') ?? [], width, length);
	const length = topOf(environment?.environment_id) > 0 ? LONGEST : (rect.height + 2) * width;
	const description = useMemo(() => linesOf(environment, length), [environment, names, width, length]);
	const scroll = (by: number) => (): string | void => {
		const id = selected()?.environment_id;
		if (id === undefined) return;
		const last = Math.max(0, linesOf(selected(), LONGEST).length - (rect.height - 2));
		if (last === 0) return 'The whole description is in view';
		scrolled.current = {id, top: clamp(topOf(id) + by, 0, last)};
		draw(scrolled.current.top);
	};
	useEffect(() => {
		if (get().environments.status === 'idle') void get().refreshEnvironments();
	}, [get]);
	useKeys('environments', {
		...keys,
		scrollDown: scroll(Math.max(1, rect.height - 4)),
		scrollUp: scroll(-Math.max(1, rect.height - 4)),
		create() {
			const id = selected()?.environment_id;
			if (id === undefined) return 'There is no environment to create with';
			get().openDialog({kind: 'create', form: newForm({environment: id})});
		},
	});
	return <EnvironmentsView {...{environments, rows, view, filtering, connection, description, cursor, focused, now}} usedBy={names} top={topOf(environment?.environment_id)} width={rect.width} height={rect.height}/>;
};
