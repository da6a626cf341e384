import type {ListedFacet} from '../../query/choices.ts';
import type {Editor} from '../../text/editor/editor.ts';
import type {State} from '../core/program.ts';
import {dialog, screen} from '../core/feature.ts';
import {ComputeChanges} from './dialogs/changes-dialog.tsx';
import {Compare} from './dialogs/compare.tsx';
import {facetPicker} from './dialogs/facet-picker.ts';
import {computeKeys, computeTab, list} from './keys.ts';
import {offerFind} from './find.ts';
import {ComputeScreen} from './screen.tsx';
import {catalogue, type ComputeState} from './catalogue.ts';
import {computeWatch, type ComputeWatchState} from './watch.ts';

declare module '../core/program.ts' {
	interface State extends ComputeState, ComputeWatchState {}
	interface Scopes {
		compute: true;
		compareOptions: true;
		changes: true;
	}
	interface Screens {
		compute: true;
	}
	interface Dialogs {
		/** `hasMarked`: the user has selected a choice and left the dialog open. */
		facet: {facet: ListedFacet; hasMarked?: true};
		/** First visible row, column with the cursor, and true if every region has a row. */
		compare: {top?: number; at?: number; all?: boolean};
		changes: {top?: number};
	}
}

const filterByQuery = (get: () => State, query: Editor): string | undefined => {
	catalogue(get).typeComputeQuery(query, false);
	return get().queryFault?.error;
};

export const compute = screen({
	...computeTab,
	command: {does: 'Show the compute catalogue', hasFilter: true, filter: filterByQuery},
	parts: [catalogue, computeWatch],
	finds: [offerFind],
	keys: computeKeys,
	handlers: {filter: list.filter},
	refresh: state => void catalogue(state.app).refreshCompute(),
	list: ({app, compute: remote}) => ({remote, stop: () => catalogue(app).stopLoading()}),
	failure: state => state.compute.failure,
	marked: ({app, marked}) => (marked.size > 0 ? () => catalogue(app).clearMarks() : undefined),
	dialogs: [
		facetPicker,
		dialog({kind: 'compare', scope: 'compareOptions', Dialog: Compare}),
		dialog({kind: 'changes', scope: 'changes', Dialog: ComputeChanges}),
	],
	Screen: ComputeScreen,
});
