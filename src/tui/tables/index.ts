import {dialog, type Feature} from '../core/feature.ts';
import {tableColumns, tableHelp} from './dialogs/choosers.ts';
import {textFormat} from './dialogs/text-format.ts';
import {tablesOfFile} from './dialogs/tables-of-file.ts';
import {OpeningDialog} from './dialogs/opening.tsx';
import {tableDialog, TableDialog} from './dialogs/table.tsx';
import {chartColumn, tableChart} from './dialogs/chart.tsx';
import {chartKeys} from './chart-keys.ts';
import {tableCharts, type ChartsState} from './charts.ts';
import {tableKeys} from './keys.ts';
import {tableViewer, type TablesState} from './tables.ts';

declare module '../core/program.ts' {
	interface State extends TablesState, ChartsState {}
	interface Scopes {
		tableRows: true;
		tableFilter: true;
		tableOpening: true;
		tableChart: true;
	}
	interface Dialogs {
		/** `isFiltering`: the filter field has focus. */
		table: {isFiltering?: boolean};
		/** Shown until a table has arrived. `waitsFor`: reason for the wait, as a sentence. */
		'table-opening': {name: string; waitsFor: string | null};
		'table-columns': {};
		'table-keys': {};
		/** Chart of the column under the cursor. */
		'table-chart': {};
		'chart-column': {};
		/** Encoding and separator of the open table. */
		'table-format': {};
		/** Tables of a file that has several. `names` may contain control characters. */
		'tables-of-file': {path: string; names: readonly string[]; bytes: Uint8Array};
	}
}

export const tables: Feature = {
	parts: [tableViewer, tableCharts],
	keys: {...tableKeys, ...chartKeys},
	dialogs: [
		dialog({
			kind: 'table',
			coversTitles: true,
			scope: ({isFiltering = false}) => [isFiltering ? 'tableFilter' : 'tableRows'],
			dismiss: state => tableViewer(state.app).closeTable(),
			Dialog: TableDialog,
		}),
		dialog({
			kind: 'table-opening',
			scope: 'tableOpening',
			dismiss: state => tableViewer(state.app).leaveOpening(),
			Dialog: OpeningDialog,
		}),
		tableDialog(tableColumns),
		tableDialog(tableHelp),
		tableDialog(textFormat),
		tablesOfFile,
		tableChart,
		chartColumn,
	],
};
