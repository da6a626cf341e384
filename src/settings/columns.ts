import {fieldsOf} from '../text/record.ts';

/** Columns of the lists, in default order. */
export const COLUMNS = {
	servers: ['name', 'state', 'environment', 'compute', 'rate', 'estimate', 'port'],
	compute: ['gpu', 'n', 'vram', 'total', 'cpu', 'mem', 'price', 'per-gpu', 'regions', 'host'],
} as const;

type Tables = typeof COLUMNS;
/** Columns that the user has chosen, in that order. Null: the default columns. */
export type ChosenColumns = {readonly [T in keyof Tables]: readonly Tables[T][number][] | null};

export const ALL_COLUMNS: ChosenColumns = {servers: null, compute: null};

export const columnRule = (all: readonly string[]): string =>
	`must be a list of different columns with ${JSON.stringify(all[0])}; columns are ${all.join(', ')}`;

/** The first column is required, because it distinguishes the rows. */
export const isColumnChoice = <T extends string>(all: readonly T[], value: unknown): value is readonly T[] =>
	Array.isArray(value) &&
	value.every(each => all.includes(each as T)) &&
	new Set(value).size === value.length &&
	value.includes(all[0]);

/** Reads unvalidated settings. Ignores invalid values. */
export const readColumns = (wanted: unknown): ChosenColumns => {
	const {servers, compute} = fieldsOf(wanted);
	return {
		servers: isColumnChoice(COLUMNS.servers, servers) ? servers : null,
		compute: isColumnChoice(COLUMNS.compute, compute) ? compute : null,
	};
};

export const chosenOf = <K extends string, C extends {readonly key: K}>(
	columns: readonly C[],
	chosen: readonly K[] | null,
): readonly C[] =>
	chosen === null ? columns : chosen.flatMap(key => columns.find(column => column.key === key) ?? []);
