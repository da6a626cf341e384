import {createEditor, insert} from '../../text/editor/editor.ts';
import {shownName} from '../../text/table/column-format.ts';
import {editingKeys} from '../core/components/editor-keys.ts';
import {onOneLine} from '../core/components/line-field.ts';
import {clamp, movements} from '../core/components/scroll.ts';
import {keyFor} from '../core/keys/live-keys.ts';
import type {KeyContext, KeyHandlers} from '../core/feature.ts';
import {rowCount, type TableView, tableViewer} from './tables.ts';
import {shownColumns, tableRoom} from './table-room.ts';
import {route} from '../core/store/route.ts';
import {clipboard} from '../core/store/clipboard.ts';

const NO_TABLE = 'There is no table';

const rowKeys = ({get, rect}: KeyContext) => {
	const view = get().tableView;
	return movements(
		() => get().tableView?.row ?? 0,
		view ? rowCount(view) : 0,
		view ? tableRoom(view, rect).height - 1 : 1,
		row => tableViewer(get).changeTable({row}),
	);
};

/** The cursor at a column; what is in view moves only as far as it must. */
export const toColumn = ({get, rect}: Pick<KeyContext, 'get' | 'rect'>, column: number): void => {
	const view = get().tableView;
	if (view) tableViewer(get).changeTable({column, left: tableRoom({...view, column}, rect).left});
};

export const tableRows: KeyHandlers<'tableRows'> = at => {
	const {get} = at;
	const withView = (act: (view: TableView) => string | void) => (): string | void => {
		const view = get().tableView;
		return view ? act(view) : NO_TABLE;
	};
	const withColumn = (act: (view: TableView) => string | void) =>
		withView(view => (shownColumns(view).includes(view.column) ? act(view) : 'There is no column here'));
	const withValues = (act: (view: TableView) => string | void) =>
		withColumn(view =>
			view.table.isGapColumn?.(view.column) === true
				? 'Here columns are left out: the output does not have their values'
				: act(view),
		);
	const move = (to: (at: number, count: number) => number) =>
		withView(view => {
			const columns = shownColumns(view);
			const next = columns[clamp(to(columns.indexOf(view.column), columns.length), 0, columns.length - 1)];
			if (next !== undefined) toColumn(at, next);
		});
	return {
		...rowKeys(at),
		left: move(column => column - 1),
		right: move(column => column + 1),
		firstColumn: move(() => 0),
		lastColumn: move((_, count) => count - 1),
		sort: withValues(({column, sort}) => {
			const isOf = sort?.column === column;
			tableViewer(get).sortTable(
				isOf && sort.direction === 'down' ? null : {column, direction: isOf ? 'down' : 'up'},
			);
		}),
		filter: () => route(get).changeDialog({kind: 'table', isFiltering: true}),
		showAll: withView(view => {
			if (view.filter.text === '') return 'No filter is set: all rows are shown';
			tableViewer(get).filterTable(createEditor());
		}),
		goTo: () => route(get).openDialog({kind: 'table-columns'}),
		facts: withValues(() => tableViewer(get).toggleTableFacts()),
		hide: withColumn(({table: of, column, hidden, ...view}) => {
			const columns = shownColumns({table: of, column, hidden, ...view});
			if (columns.length === 1) return 'This is the only column that is shown';
			const place = columns.indexOf(column);
			tableViewer(get).changeTable({hidden: new Set(hidden).add(column)});
			toColumn(at, columns[place + 1] ?? columns[place - 1] ?? column);
			return `${shownName(of, column) || 'The index'} is hidden: ${keyFor('tableRows.unhide')} shows all columns`;
		}),
		unhide: withView(({hidden, column}) => {
			if (hidden.size === 0) return 'No column is hidden';
			tableViewer(get).changeTable({hidden: new Set()});
			toColumn(at, column);
		}),
		otherHead: withView(({name, table}) => {
			if (table.otherHead === null) return 'The head of this table is certain';
			tableViewer(get).openTable(name, table.otherHead());
		}),
		copy: withColumn(view => {
			const row = view.rows?.[view.row] ?? view.row;
			const text = view.table.cell(row, view.column);
			return text === '' ? 'This field is empty' : clipboard(get).copy(text, 'The field');
		}),
		keys: () => route(get).openDialog({kind: 'table-keys'}),
		close: () => (tableViewer(get).stopTableWork() ? 'Stopped' : tableViewer(get).closeTable()),
	};
};

export const tableFilter: KeyHandlers<'tableFilter'> = at => {
	const {get} = at;
	const draft = () => get().tableView?.filter ?? createEditor();
	const {up, down} = rowKeys(at);
	return {
		...editingKeys({draft, set: filter => tableViewer(get).filterTable(filter)}),
		up,
		down,
		accept: () => route(get).changeDialog({kind: 'table'}),
		leave() {
			route(get).changeDialog({kind: 'table'});
			tableViewer(get).filterTable(createEditor());
		},
		typed: text => tableViewer(get).filterTable(insert(draft(), onOneLine(text))),
	};
};
