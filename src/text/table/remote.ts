import type {Chart, ChartColumns} from '../chart/chart.ts';
import type {Sort} from './arrange.ts';
import type {ColumnStats} from './column-stats.ts';
import type {Table} from './table.ts';

/** A chart, and the Python expressions of its columns, null if there is no short one. */
export type RemoteChart = {readonly chart: Chart; readonly code: readonly (string | null)[]};

/** State of a source, as a sentence. `isOld`: the rows can be read again. */
export type SourceState = {readonly says: string; readonly isOld: boolean};

/** Rows that a source sorts, filters and sends in pages. A row that has not arrived is empty. */
export type RemoteRows = {
	/** Identifies the source. A table and its sorted form share it. */
	readonly source: object;
	/** Sorts and filters. Null after a failure, or if no longer wanted. The state says why. */
	arrange(
		sort: Sort | null,
		words: string,
		isWanted: () => boolean,
		tell: (share: number) => void,
	): Promise<Table | null>;
	/** Statistics of a column. Null after a failure. */
	stats(column: number): Promise<ColumnStats | null>;
	/** Chart of its rows. A sentence says why there is none. */
	chart(columns: ChartColumns): Promise<RemoteChart | string>;
	/** Whole text of a field. Null after a failure. */
	field(at: number, column: number): Promise<string | null>;
	/** Table of the source as it is now. A sentence if there is none. */
	reload(): Promise<Table | string>;
	/** Compares the rows with their source. The state gives the result. */
	check(): void;
	/** Compares them if the last reply is some seconds old. Called when the cursor moves. */
	checkIfOld(): void;
	/** Null if the rows are current. */
	state(): SourceState | null;
	/** Calls a function when rows arrive or the state changes. */
	watch(onChange: () => void): void;
	close(): void;
};

export type RemoteTable = Table & {readonly remote: RemoteRows};

export const remoteIn = (table: Table): RemoteRows | null =>
	'remote' in table ? (table as RemoteTable).remote : null;

/** True for two tables of one source. */
export const isSameSource = (one: Table, other: Table): boolean => {
	const remote = remoteIn(one);
	return remote !== null && remote.source === remoteIn(other)?.source;
};
