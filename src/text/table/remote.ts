import type {Chart, ChartColumns} from '../chart/chart.ts';
import type {Sort} from './arrange.ts';
import type {ColumnStats} from './column-stats.ts';
import type {Table} from './table.ts';

/** Chart, and Python expressions of its columns. An expression is null if there is no short one. */
export type RemoteChart = {readonly chart: Chart; readonly code: readonly (string | null)[]};

/**
 * State of a source. `says`: a sentence. `isOld`: true if the rows may be outdated and can be
 * reloaded.
 */
export type SourceState = {readonly says: string; readonly isOld: boolean};

/**
 * Rows of a table in another process, which sorts, filters and sends them in pages. A row that has
 * not arrived yet is empty.
 */
export type RemoteRows = {
	/** Identifies the source. Shared by a table and its sorted form. */
	readonly source: object;
	/**
	 * Sorts and filters the rows. Null if that failed or is no longer wanted; `state` gives the
	 * reason.
	 */
	arrange(
		sort: Sort | null,
		words: string,
		isWanted: () => boolean,
		tell: (share: number) => void,
	): Promise<Table | null>;
	/** Statistics of a column. Null if the request failed. */
	stats(column: number): Promise<ColumnStats | null>;
	/** Chart of the rows. A string result is the reason why there is none. */
	chart(columns: ChartColumns): Promise<RemoteChart | string>;
	/** Complete text of a field. Null if the request failed. */
	field(at: number, column: number): Promise<string | null>;
	/**
	 * Table with the current rows of the source. A string result is the reason why there is none.
	 */
	reload(): Promise<Table | string>;
	/** Checks whether the source has changed since the rows were read. `state` gives the result. */
	check(): void;
	/** Calls `check` if the last reply is some seconds old. Called when the cursor moves. */
	checkIfOld(): void;
	/** Null if the rows are current. */
	state(): SourceState | null;
	/** Registers a function that is called when rows arrive or the state changes. */
	watch(onChange: () => void): void;
	close(): void;
};

export type RemoteTable = Table & {readonly remote: RemoteRows};

export const remoteIn = (table: Table): RemoteRows | null =>
	'remote' in table ? (table as RemoteTable).remote : null;

/** True if two tables have the same source. */
export const isSameSource = (one: Table, other: Table): boolean => {
	const remote = remoteIn(one);
	return remote !== null && remote.source === remoteIn(other)?.source;
};
