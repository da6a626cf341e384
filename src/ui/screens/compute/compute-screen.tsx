import {useEffect, useMemo} from 'react';
import {computeIdOf} from '../../../query/option.ts';
import {NO_FILTER} from '../../../query/filter.ts';
import {filteredCompute} from '../../../store/compute.ts';
import {newForm} from '../../../store/create-form.ts';
import {clamp, movements} from '../../components/scroll.ts';
import type {Rect} from '../../frame/layout.ts';
import {useKeys} from '../../keys/keys.tsx';
import {useApp, useGetState} from '../../store-context.ts';
import {useNow} from '../../use-now.ts';
import {ComputeView} from './compute-view.tsx';

export const ComputeScreen = ({rect}: {readonly rect: Rect}) => {
	const get = useGetState();
	const compute = useApp(state => state.compute);
	const connection = useApp(state => state.connection);
	const filter = useApp(state => state.computeFilter);
	const stored = useApp(state => state.computeCursor);
	const focused = useApp(state => state.dialogs.length === 0);
	const now = useNow();
	const rows = useMemo(() => filteredCompute({compute, computeFilter: filter}), [compute, filter]);
	const cursor = clamp(stored, 0, Math.max(0, rows.length - 1));
	useEffect(() => {
		if (get().compute.status === 'idle') void get().refreshCompute();
	}, [get]);
	useKeys('compute', {
		...movements(() => get().computeCursor, rows.length, rect.height - 6, get().moveComputeCursor),
		create() {
			const option = rows[clamp(get().computeCursor, 0, rows.length - 1)];
			if (option === undefined) return 'There is no row to create with: U shows all again';
			if (!option.availability.some(region => region.available)) return `${option.name} is not available now`;
			get().openDialog({kind: 'create', form: newForm({compute: computeIdOf(option).id})});
		},
		regions: () => get().openDialog({kind: 'regions'}),
		gpu: () => get().openDialog({kind: 'gpu'}),
		available: () => get().setComputeFilter({...get().computeFilter, available: !get().computeFilter.available}),
		clear: () => get().setComputeFilter(NO_FILTER),
	});
	return <ComputeView {...{compute, connection, rows, filter, cursor, focused, now}} width={rect.width} height={rect.height}/>;
};
