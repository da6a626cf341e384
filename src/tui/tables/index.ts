import {dialog, type Feature} from '../core/feature.ts';
import {tableColumns, tableHelp} from './dialogs/choosers.ts';
import {tableDialog, TableDialog} from './dialogs/table.tsx';
import {tableFilter, tableRows} from './handlers.ts';
import {tableKeys} from './keys.ts';
import {shownColumns} from './table-room.ts';
import {tableViewer, type TablesState} from './tables.ts';

type Keys = typeof tableKeys;

declare module '../core/program.ts' {
	interface State extends TablesState {}
	interface Keymap extends Keys {}
	interface Dialogs {
		/** `isFiltering`: the filter field has focus. */
		table: {isFiltering?: boolean};
		'table-columns': {};
		'table-keys': {};
	}
}

export const tables: Feature = {
	parts: [tableViewer],
	keys: tableKeys,
	dialogs: [
		dialog({
			kind: 'table',
			scope: ({isFiltering = false}) => [isFiltering ? 'tableFilter' : 'tableRows'],
			handlers: {tableRows, tableFilter},
			labelNow({tableView}, _, action) {
				if (action === 'close') return tableView?.work ? `stop the ${tableView.work.what}` : undefined;
				const isEmpty = tableView === null || shownColumns(tableView).length === 0;
				const isOfColumns = action === 'sort' || action === 'goTo' || action === 'facts';
				if (isEmpty) return isOfColumns || action === 'filter' ? null : undefined;
				// A header without rows has nothing to sort or to filter.
				return tableView.table.complete && tableView.known === 0 && (action === 'sort' || action === 'filter')
					? null
					: undefined;
			},
			dismiss: state => tableViewer(state.app).closeTable(),
			Dialog: TableDialog,
		}),
		tableDialog(tableColumns),
		tableDialog(tableHelp),
	],
};
