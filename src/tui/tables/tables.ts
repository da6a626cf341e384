import {createEditor, type Editor} from '../../text/editor/editor.ts';
import {filterRows, sortRows, type Sort} from '../../text/table/arrange.ts';
import {readColumn} from '../../text/table/read-column.ts';
import {shownName} from '../../text/table/column-format.ts';
import {isSameSource, remoteIn} from '../../text/table/remote.ts';
import {label} from '../../text/safe.ts';
import {columnStats, type ColumnStats} from '../../text/table/column-stats.ts';
import type {Table} from '../../text/table/table.ts';
import {runInSlices, nextTurn} from './run-in-slices.ts';
import {part, type App} from '../core/app.ts';
import {notices} from '../core/store/notices.ts';
import {route} from '../core/store/route.ts';

export type TableView = {
	/** Source of the table, such as a path or a cell. */
	readonly name: string;
	readonly table: Table;
	/** Number of rows found so far. A long text is scanned step by step. */
	readonly known: number;
	/**
	 * The cursor: index of its row among the shown rows, and index of its column among all columns.
	 */
	readonly row: number;
	readonly column: number;
	/** Index of the first visible column, counted among the columns that scroll. */
	readonly left: number;
	readonly hidden: ReadonlySet<number>;
	readonly sort: Sort | null;
	readonly filter: Editor;
	/**
	 * Indices of the shown rows in the shown order. Null shows all rows in the table's own order.
	 */
	readonly rows: Uint32Array | null;
	/** Running sort or filter, and its progress from 0 to 1. */
	readonly work: {readonly what: 'sort' | 'filter'; readonly share: number} | null;
	/** Statistics of the column that the cursor is on. `found` is null while they are computed. */
	readonly facts: {readonly column: number; readonly found: ColumnStats | null} | null;
};

export type TablesState = {readonly tableView: TableView | null};

/**
 * Loads a table. Resolves to the table; to a sentence if it cannot be loaded; to a function that
 * shows the object in another form; or to null if the user has stopped waiting.
 */
export type TableOpening = (how: {
	/** Aborted when the user stops waiting. */
	readonly signal: AbortSignal;
	/** Shows the reason for the wait; null removes it. */
	readonly wait: (why: string | null) => void;
}) => Promise<Table | string | (() => void) | null>;

export type TableViewer = {
	openTable(name: string, table: Table): void;
	/**
	 * Starts to load a table and opens it when loaded. Until then a dialog shows the reason for the
	 * wait.
	 */
	openTableLater(name: string, open: TableOpening): void;
	/** Stops waiting for the table that is being loaded. */
	leaveOpening(): void;
	/** Loads the rows again from the table's source. Returns a sentence if it cannot. */
	reloadTable(): string | void;
	/** Checks whether the open table still equals its source. Called after code has run. */
	checkTable(): void;
	closeTable(): void;
	changeTable(change: Partial<Pick<TableView, 'row' | 'column' | 'left' | 'hidden'>>): void;
	sortTable(sort: Sort | null): void;
	filterTable(filter: Editor): void;
	/** Stops a running sort or filter. False if there is none. */
	stopTableWork(): boolean;
	toggleTableFacts(): void;
};

/** Number of UTF-16 units that are scanned before the first frame, and in each later step. */
const FIRST_STEP = 1_000_000;
const STEP = 500_000;
/** Delay before the dialog appears that shows that a table is loading, in ms. */
const OPENING_MS = 150;

export const rowCount = ({rows, known}: Pick<TableView, 'rows' | 'known'>): number => rows?.length ?? known;

const firstTables = (): TablesState => ({tableView: null});

export const tableViewer = part(
	'tableViewer',
	({get, set}: App): TableViewer => {
		const change = (next: Partial<TableView>): void => {
			const view = get().tableView;
			if (view) set({tableView: {...view, ...next}});
		};
		const isOpen = (table: Table): boolean => {
			const now = get().tableView?.table;
			return now === table || (now !== undefined && isSameSource(now, table));
		};
		let opening: AbortController | null = null;
		/** Redraws the table when more of its rows have arrived. */
		const watchRows = (table: Table): void =>
			remoteIn(table)?.watch(() => {
				if (isOpen(table)) change({});
			});
		const closeSource = (): void => {
			const view = get().tableView;
			if (view) remoteIn(view.table)?.close();
		};

		/** Scans the remaining rows step by step, so that keys are handled in between. */
		const readRest = async (table: Table): Promise<void> => {
			let reportedAt = performance.now();
			while (isOpen(table) && !table.complete) {
				await nextTurn();
				table.advance(STEP);
				if (!table.complete && performance.now() - reportedAt < 50) continue;
				reportedAt = performance.now();
				if (isOpen(table)) change({known: table.count});
			}
		};
		const whenRead = async (table: Table, isWanted: () => boolean): Promise<void> => {
			while (isWanted() && !table.complete) await nextTurn();
		};

		let arranging: object | null = null;
		let gathering: object | null = null;
		/** The filter that was applied to the shown rows. */
		let applied = createEditor();

		const gather = async (): Promise<void> => {
			const mine = {};
			gathering = mine;
			const view = get().tableView;
			if (!view?.facts) return;
			const {table, column, rows} = view;
			change({facts: {column, found: null}});
			const isWanted = (): boolean => gathering === mine && isOpen(table);
			const remote = remoteIn(table);
			if (remote !== null) {
				const found = await remote.stats(column);
				if (found !== null && isWanted()) change({facts: {column, found}});
				return;
			}
			await whenRead(table, isWanted);
			const found = await runInSlices(columnStats(table, rows, column), isWanted, () => {});
			if (found && isWanted()) change({facts: {column, found}});
		};
		/**
		 * Notifies the user in which order dates are read, or why a column of numbers or dates is
		 * sorted as text.
		 */
		const tellReading = (table: Table, {column}: Sort): void => {
			// The sort has already read the column, so the first step returns the result.
			const read = readColumn(table, column).next();
			if (read.done !== true) return;
			const {reading} = read.value;
			const name = label(shownName(table, column), 30);
			if (reading.kind === 'dates')
				notices(get).notify('info', `${name} is sorted by date, ${reading.order}`);
			else if (reading.kind === 'text' && reading.why !== null)
				notices(get).notify('info', `${name} is sorted as text: ${label(reading.why, 200)}`);
		};
		/** Filters and sorts the rows. If the user stops the work, the shown rows do not change. */
		const arrange = async (what: 'sort' | 'filter', sort: Sort | null, filter: Editor): Promise<void> => {
			const view = get().tableView;
			if (!view) return;
			const mine = {};
			arranging = mine;
			const {table} = view;
			const words = filter.text;
			const isWanted = (): boolean => arranging === mine && isOpen(table);
			const tell = (share: number): void => change({work: {what, share}});
			change({filter});
			const remote = remoteIn(table);
			if (remote !== null) {
				tell(0);
				const found = await remote.arrange(sort, words, isWanted, tell);
				if (!isWanted()) return;
				arranging = null;
				if (found === null) return change({work: null, filter: applied});
				applied = filter;
				change({table: found, known: found.count, sort, work: null, row: 0});
				return void gather();
			}
			if (!table.complete) tell(table.share);
			await whenRead(table, isWanted);
			const passing = words === '' ? null : await runInSlices(filterRows(table, words), isWanted, tell);
			if (words !== '' && passing === null) return;
			const rows =
				sort === null ? passing : await runInSlices(sortRows(table, passing, sort), isWanted, tell);
			if (!isWanted()) return;
			arranging = null;
			applied = filter;
			change({rows, sort, work: null, row: 0});
			if (sort !== null && what === 'sort') tellReading(table, sort);
			void gather();
		};

		return {
			openTable(name, table) {
				const isOpenAlready = get().tableView !== null;
				closeSource();
				arranging = null;
				table.advance(FIRST_STEP);
				applied = createEditor();
				set({
					tableView: {
						name,
						table,
						known: table.count,
						row: 0,
						column: table.index,
						left: 0,
						hidden: new Set(),
						sort: null,
						filter: createEditor(),
						rows: null,
						work: null,
						facts: null,
					},
				});
				if (!isOpenAlready) route(get).openDialog({kind: 'table'});
				watchRows(table);
				void readRest(table);
			},
			openTableLater(name, open) {
				opening?.abort();
				const mine = new AbortController();
				opening = mine;
				const isWaiting = (): boolean => get().dialogs.at(-1)?.kind === 'table-opening';
				let waitsFor: string | null = null;
				const show = (): void => {
					const dialog = {kind: 'table-opening', name, waitsFor} as const;
					if (isWaiting()) route(get).changeDialog(dialog);
					else route(get).openDialog(dialog);
				};
				let isShown = false;
				const timer = setTimeout(() => {
					isShown = true;
					show();
				}, OPENING_MS);
				const wait = (why: string | null): void => {
					waitsFor = why;
					if (isShown && opening === mine) show();
				};
				void open({signal: mine.signal, wait}).then(found => {
					clearTimeout(timer);
					if (mine.signal.aborted || opening !== mine) {
						if (found !== null && typeof found === 'object') remoteIn(found)?.close();
						return;
					}
					opening = null;
					if (isWaiting()) route(get).closeDialog();
					if (typeof found === 'string') notices(get).notify('info', found);
					else if (typeof found === 'function') found();
					else if (found !== null) tableViewer(get).openTable(name, found);
				});
			},
			leaveOpening() {
				opening?.abort();
				opening = null;
				route(get).closeDialog();
			},
			reloadTable() {
				const view = get().tableView;
				const remote = view && remoteIn(view.table);
				if (!view || !remote) return 'These rows are in a file or an output: open it again';
				arranging = null;
				void remote.reload().then(found => {
					const now = get().tableView;
					if (!now || !isOpen(view.table)) return;
					if (typeof found === 'string') return notices(get).notify('bad', found);
					closeSource();
					applied = createEditor();
					watchRows(found);
					const column = Math.min(now.column, Math.max(0, found.names.length - 1));
					const row = Math.min(now.row, Math.max(0, found.count - 1));
					const same = found.names.length === now.table.names.length;
					change({
						table: found,
						known: found.count,
						row,
						column,
						...(!same && {left: 0, hidden: new Set()}),
						sort: null,
						filter: createEditor(),
						work: null,
					});
					void gather();
				});
			},
			checkTable() {
				const view = get().tableView;
				if (view) remoteIn(view.table)?.check();
			},
			closeTable() {
				closeSource();
				arranging = null;
				gathering = null;
				set({tableView: null});
				route(get).closeDialog();
			},
			changeTable(next) {
				const before = get().tableView?.column;
				change(next);
				const table = get().tableView?.table;
				if (table) remoteIn(table)?.checkIfOld();
				if (get().tableView?.facts && before !== get().tableView?.column) void gather();
			},
			sortTable(sort) {
				const view = get().tableView;
				if (view) void arrange('sort', sort, view.filter);
			},
			filterTable(filter) {
				const view = get().tableView;
				if (!view) return;
				if (filter.text === view.filter.text) change({filter});
				else void arrange('filter', view.sort, filter);
			},
			stopTableWork() {
				if (arranging === null || !get().tableView) return false;
				arranging = null;
				change({work: null, filter: applied});
				return true;
			},
			toggleTableFacts() {
				const view = get().tableView;
				if (!view) return;
				change({facts: view.facts ? null : {column: view.column, found: null}});
				void gather();
			},
		};
	},
	firstTables,
);
