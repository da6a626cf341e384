import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import {shownName} from '../../../text/table/column-format.ts';
import {chooser, LEAST_WIDTH, type Choice} from '../../core/dialogs/chooser.tsx';
import {showKey} from '../../core/frame/footer.ts';
import {offeredIn} from '../../core/keys/live-keys.ts';
import {tableViewer} from '../tables.ts';

/**
 * Lists the columns of the open table. Enter moves the cursor to a column, and shows it if hidden.
 */
export const tableColumns = chooser({kind: 'table-columns'}, ({get}) => {
	const view = get().tableView;
	const choices = (view?.table.names ?? []).map((_, column): Choice => ({
		text: view ? shownName(view.table, column) || `column ${column + 1}` : '',
		id: String(column),
		note: view?.hidden.has(column) ? 'hidden' : String(column + 1),
		choose() {
			const hidden = new Set(get().tableView?.hidden);
			hidden.delete(column);
			tableViewer(get).changeTable({hidden, column});
		},
	}));
	return {
		title: 'Go to a column',
		width: LEAST_WIDTH,
		enterLabel: 'go',
		cutsRows: true,
		empty: 'No column matches.',
		choicesFor: typed => fuzzyFilter(typed, choices, ({text}) => text),
	};
});

/** Lists the keys of a table. Enter runs the selected action. */
export const tableHelp = chooser({kind: 'table-keys'}, ({get, act}) => {
	const choices = offeredIn(get(), 'tableRows').map(({action, label, keys}): Choice => ({
		text: label.slice(0, 1).toUpperCase() + label.slice(1),
		note: keys.map(showKey).join('  '),
		choose: () => act('tableRows', action),
	}));
	return {
		title: 'Keys of the table',
		width: LEAST_WIDTH,
		enterLabel: 'run',
		empty: 'No key matches.',
		choicesFor: typed => fuzzyFilter(typed, choices, ({text, note}) => `${text} ${note}`),
	};
});
