import {createEditor, insert} from '../../text/editor/editor.ts';
import {shownName} from '../../text/table/column-format.ts';
import {editingKeys} from '../core/components/editor-keys.ts';
import {onOneLine} from '../core/components/line-field.ts';
import {clamp, movements} from '../core/components/scroll.ts';
import type {KeyContext} from '../core/feature.ts';
import {actionOn, actionsOf, Refusal, refused, type KeyScopes} from '../core/keys/action.ts';
import {filtered, line, list} from '../core/keys/binding-sets.ts';
import {keyFor} from '../core/keys/live-keys.ts';
import type {State} from '../core/program.ts';
import {clipboard} from '../core/store/clipboard.ts';
import {route} from '../core/store/route.ts';
import {formatIn} from '../../text/table/text-format.ts';
import {remoteIn} from '../../text/table/remote.ts';
import {tableCharts} from './charts.ts';
import {shownColumns, tableRoom} from './table-room.ts';
import {rowCount, tableViewer, type TableView} from './tables.ts';

const rowKeys = ({get, rect}: KeyContext) => {
	const view = get().tableView;
	return movements(
		() => get().tableView?.row ?? 0,
		view ? rowCount(view) : 0,
		view ? tableRoom(view, rect).height - 1 : 1,
		row => tableViewer(get).changeTable({row}),
	);
};

/** Moves the cursor to a column, and scrolls no more than needed to show it. */
export const toColumn = ({get, rect}: Pick<KeyContext, 'get' | 'rect'>, column: number): void => {
	const view = get().tableView;
	if (view) tableViewer(get).changeTable({column, left: tableRoom({...view, column}, rect).left});
};

const viewIn = ({get}: KeyContext): TableView | Refusal => get().tableView ?? refused('There is no table');
const columnIn = (at: KeyContext): TableView | Refusal => {
	const view = viewIn(at);
	return view instanceof Refusal || shownColumns(view).includes(view.column)
		? view
		: refused('There is no column here');
};
const onView = actionOn(viewIn);
const onColumn = actionOn(columnIn);
const onValues = actionOn(at => {
	const view = columnIn(at);
	return !(view instanceof Refusal) && view.table.isGapColumn?.(view.column) === true
		? refused('The columns here are missing in the printed output')
		: view;
});

const moveTo =
	(to: (at: number, count: number) => number) =>
	(view: TableView, at: KeyContext): void => {
		const columns = shownColumns(view);
		const next = columns[clamp(to(columns.indexOf(view.column), columns.length), 0, columns.length - 1)];
		if (next !== undefined) toColumn(at, next);
	};

/** Null if no column is shown; undefined otherwise. */
const needsColumns = ({tableView}: State): null | undefined =>
	tableView === null || shownColumns(tableView).length === 0 ? null : undefined;
/** Null if the table has no rows to sort or search; undefined otherwise. */
const needsValues = (state: State): null | undefined => {
	const {tableView} = state;
	return tableView?.table.complete && tableView.known === 0 ? null : needsColumns(state);
};

const draftOf = ({tableView}: State) => tableView?.filter ?? createEditor();
const clearFilter = ({get}: KeyContext): void => tableViewer(get).filterTable(createEditor());

export const tableKeys: KeyScopes = {
	tableRows: {
		where: 'table',
		isDialog: true,
		actions: {
			...actionsOf(list, rowKeys),
			left: onView({keys: ['left', 'h'], label: 'Column to the left', run: moveTo(at => at - 1)}),
			right: onView({keys: ['right', 'l'], label: 'Column to the right', run: moveTo(at => at + 1)}),
			firstColumn: onView({keys: ['0'], label: 'First column', run: moveTo(() => 0)}),
			lastColumn: onView({keys: ['$'], label: 'Last column', run: moveTo((_, count) => count - 1)}),
			sort: onValues({
				keys: ['='],
				was: ['s'],
				label: 'sort',
				hint: true,
				now: (_, {get}) => needsValues(get()),
				run({column, sort}, {get}) {
					const isOf = sort?.column === column;
					tableViewer(get).sortTable(
						isOf && sort.direction === 'down' ? null : {column, direction: isOf ? 'down' : 'up'},
					);
				},
			}),
			filter: {
				...filtered.filter,
				now: ({get}) => needsValues(get()),
				run: ({get}) => route(get).changeDialog({kind: 'table', isFiltering: true}),
			},
			showAll: onView({
				...filtered.showAll,
				run({filter}, at) {
					if (filter.text === '') return 'No filter is set: all rows are shown';
					clearFilter(at);
				},
			}),
			goTo: {
				keys: ['f'],
				was: ['c'],
				label: 'Go to a column',
				now: ({get}) => needsColumns(get()),
				run: ({get}) => route(get).openDialog({kind: 'table-columns'}),
			},
			facts: onValues({
				keys: ['i'],
				label: 'statistics',
				hint: true,
				run: (_, {get}) => tableViewer(get).toggleTableFacts(),
			}),
			chart: onValues({
				keys: ['P'],
				was: ['p'],
				label: 'chart',
				hint: true,
				run: (_, {get}) => tableCharts(get).openChart(),
			}),
			hide: onColumn({
				keys: ['x'],
				label: 'Hide the column',
				run(view, at) {
					const {table, column, hidden} = view;
					const columns = shownColumns(view);
					if (columns.length === 1) return 'This is the only column that is shown';
					const place = columns.indexOf(column);
					tableViewer(at.get).changeTable({hidden: new Set(hidden).add(column)});
					toColumn(at, columns[place + 1] ?? columns[place - 1] ?? column);
					return `${shownName(table, column) || 'The index'} is hidden: ${keyFor('tableRows.unhide')} shows all columns`;
				},
			}),
			unhide: onView({
				keys: ['X'],
				label: 'Show all columns',
				run({hidden, column}, at) {
					if (hidden.size === 0) return 'No column is hidden';
					tableViewer(at.get).changeTable({hidden: new Set()});
					toColumn(at, column);
				},
			}),
			otherHead: onView({
				keys: ['H'],
				label: 'First row as a row, or as the header',
				run({name, table}, {get}) {
					if (table.otherHead === null) return 'This table has a fixed header';
					tableViewer(get).openTable(name, table.otherHead());
				},
			}),
			format: onView({
				keys: ['e'],
				label: 'Separator, quotes, decimal mark and encoding',
				run({table}, {get}) {
					if (formatIn(table) === null) return 'Only the text of a file can be read in another way';
					route(get).openDialog({kind: 'table-format'});
				},
			}),
			copy: onColumn({
				keys: ['y'],
				label: 'Copy the field',
				run({rows, row, table, column}, {get}) {
					const remote = remoteIn(table);
					if (remote !== null) {
						void remote.field(row, column).then(text => {
							if (text !== null) clipboard(get).copy(text, 'The field');
						});
						return;
					}
					const text = table.cell(rows?.[row] ?? row, column);
					return text === '' ? 'This field is empty' : clipboard(get).copy(text, 'The field');
				},
			}),
			reload: {
				keys: ['R'],
				was: ['r'],
				label: 'reload',
				hint: true,
				now({get}) {
					const view = get().tableView;
					return view && remoteIn(view.table)?.state()?.isOld === true ? undefined : null;
				},
				run: ({get}) => tableViewer(get).reloadTable(),
			},
			keys: {
				keys: ['?'],
				label: 'keys',
				hint: true,
				run: ({get}) => route(get).openDialog({kind: 'table-keys'}),
			},
			close: {
				keys: ['esc'],
				label: 'back',
				now({get}) {
					const work = get().tableView?.work;
					return work ? `stop the ${work.what}` : undefined;
				},
				run: ({get}) => (tableViewer(get).stopTableWork() ? 'Stopped' : tableViewer(get).closeTable()),
			},
		},
	},
	tableOpening: {
		where: 'table that is being opened',
		isDialog: true,
		actions: {leave: {keys: ['esc'], label: 'cancel', run: ({get}) => tableViewer(get).leaveOpening()}},
	},
	/** Keys of a table's filter field (`/`). */
	tableFilter: {
		where: 'filter of a table',
		isText: true,
		isDialog: true,
		actions: {
			accept: {
				keys: ['enter', 'tab'],
				label: 'to the rows',
				hint: true,
				run: ({get}) => route(get).changeDialog({kind: 'table'}),
			},
			up: {keys: ['up'], label: 'Move up', run: at => rowKeys(at).up()},
			down: {keys: ['down'], label: 'Move down', run: at => rowKeys(at).down()},
			...actionsOf(line, ({get}) =>
				editingKeys({draft: () => draftOf(get()), set: filter => tableViewer(get).filterTable(filter)}),
			),
			leave: {
				keys: ['esc'],
				label: 'clear the filter',
				run(at) {
					route(at.get).changeDialog({kind: 'table'});
					clearFilter(at);
				},
			},
		},
		typed: ({get}, text) => tableViewer(get).filterTable(insert(draftOf(get()), onOneLine(text))),
	},
};
