import {dialog, type Feature} from '../core/feature.ts';
import {tableColumns, tableHelp} from './dialogs/choosers.ts';
import {tableDialog, TableDialog} from './dialogs/table.tsx';
import {tableKeys} from './keys.ts';
import {tableViewer, type TablesState} from './tables.ts';

declare module '../core/program.ts' {
	interface State extends TablesState {}
	interface Scopes {
		tableRows: true;
		tableFilter: true;
	}
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
			dismiss: state => tableViewer(state.app).closeTable(),
			Dialog: TableDialog,
		}),
		tableDialog(tableColumns),
		tableDialog(tableHelp),
	],
};
