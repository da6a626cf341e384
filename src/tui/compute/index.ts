import type {ListedFacet} from '../../query/choices.ts';
import type {Editor} from '../../text/editor/editor.ts';
import type {State} from '../core/program.ts';
import {dialog, screen} from '../core/feature.ts';
import {changeTable, ComputeChanges} from './dialogs/changes-dialog.tsx';
import {Compare, compareKeyLabel, compareTable} from './dialogs/compare.tsx';
import {facetPicker} from './dialogs/facet-picker.ts';
import {computeHandlers, computeLabel} from './handlers.ts';
import {computeKeys, computeTab} from './keys.ts';
import {ComputeScreen} from './screen.tsx';
import {catalogue, type ComputeState} from './catalogue.ts';
import {computeWatch, type ComputeWatchState} from './watch.ts';

type Keys = typeof computeKeys;

declare module '../core/program.ts' {
	interface State extends ComputeState, ComputeWatchState {}
	interface Keymap extends Keys {}
	interface Screens {
		compute: true;
	}
	interface Dialogs {
		/** `hasMarked`: the user has selected a choice and left the dialog open. */
		facet: {facet: ListedFacet; hasMarked?: true};
		/** First visible row and column. */
		compare: {top?: number; left?: number};
		changes: {top?: number};
	}
}

const filterByQuery = (get: () => State, query: Editor): string | undefined => {
	catalogue(get).typeComputeQuery(query, false);
	return get().queryFault?.error;
};

export const compute = screen({
	...computeTab,
	command: {does: 'The compute catalogue', hasFilter: true, filter: filterByQuery},
	parts: [catalogue, computeWatch],
	keys: computeKeys,
	handlers: computeHandlers,
	refresh: state => void catalogue(state.app).refreshCompute(),
	failure: state => state.compute.failure,
	labelNow: computeLabel,
	dialogs: [
		facetPicker,
		dialog({
			kind: 'compare',
			scope: 'table',
			handlers: {table: compareTable},
			labelNow: compareKeyLabel,
			Dialog: Compare,
		}),
		dialog({
			kind: 'changes',
			scope: 'table',
			handlers: {table: changeTable},
			labelNow: (_, __, action) => (action === 'left' || action === 'right' ? null : undefined),
			Dialog: ComputeChanges,
		}),
	],
	Screen: ComputeScreen,
});
