import {useEffect} from 'react';
import {elsewhereCount} from '../core/dialogs/omnibox.ts';
import {useApp, useGetState, useFields} from '../core/store-context.ts';
import {useListWait} from '../core/components/use-list-wait.ts';
import {listRhythm, useNow} from '../core/use-now.ts';
import {list} from './keys.ts';
import {catalogueIndex, modelOf, narrowedCompute, regionsAsked, sortOf, catalogueStats} from './rows.ts';
import {ComputeView} from './view.tsx';
import {watchText} from './watch.ts';
import type {ScreenProps} from '../core/feature.ts';
import {catalogue} from './catalogue.ts';

export const ComputeScreen = ({rect}: ScreenProps) => {
	const get = useGetState();
	const {compute, connection, marked, watches, columns} = useFields(
		'compute',
		'connection',
		'marked',
		'watches',
		'columns',
	);
	const {computeFilter: filter, queryFault: fault} = useFields('computeFilter', 'queryFault');
	const {computeGrouping: grouping, computeChanges: changes} = useFields('computeGrouping', 'computeChanges');
	const narrowed = useApp(narrowedCompute);
	const index = useApp(catalogueIndex);
	const survey = useApp(catalogueStats);
	const within = useApp(regionsAsked);
	const focused = useApp(state => state.dialogs.length === 0);
	const wait = useListWait(compute, 'offers');
	const now = useNow(listRhythm(compute));
	const {rows, view, filtering, cursor} = list.useView();
	const isNone = rows.length === 0;
	const elsewhere = useApp(state => (isNone ? elsewhereCount(state, 'compute') : 0));
	const row = rows[cursor];
	const option = row?.kind === 'offer' ? row.option : undefined;
	useEffect(() => {
		if (get().compute.status === 'idle') void catalogue(get).refreshCompute();
	}, [get]);
	const regions = filter.regions.filter(region => within.has(region));
	const detail =
		option === undefined || row?.kind !== 'offer'
			? undefined
			: {
					option,
					alike: survey.alike.get(modelOf(option)) ?? [],
					regions,
					variants: survey.variants,
					change: changes?.changed.get(row.offer),
				};
	const watching =
		watches.length === 0
			? ''
			: `watching ${watches.length === 1 && watches[0] ? watchText(watches[0]) : `${watches.length} GPUs`}`;
	return (
		<ComputeView
			{...{
				compute,
				connection,
				wait,
				rows,
				narrowed,
				filter,
				within,
				view,
				fault,
				grouping,
				marked,
				changes,
				watching,
				detail,
				filtering,
				elsewhere,
				cursor,
				focused,
				now,
			}}
			measured={index.all}
			variants={survey.variants}
			chosen={columns.compute}
			sort={sortOf({lists: {compute: view}})}
			width={rect.width}
			height={rect.height}
		/>
	);
};
