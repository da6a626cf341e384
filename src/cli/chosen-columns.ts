import {nearestWord} from '../query/nearest-word.ts';
import {chosenOf, type ChosenColumns} from '../settings/columns.ts';
import {readStartupSettings} from '../settings/startup-settings.ts';
import {joinNames} from '../text/join-names.ts';
import {usageError} from './command-error.ts';
import type {Context} from './context.ts';
import type {Column} from './table.ts';

export type ColumnOptions = {readonly columns?: string};

/**
 * Column names in `--columns`, such as `name,rate`. @throws {CommandError} if one is unknown or
 * repeated.
 */
const named = <K extends string>(text: string, all: readonly K[]): readonly K[] => {
	const words = text.split(',').map(word => word.trim().toLowerCase());
	return words.map((word, at) => {
		const found = all.find(each => each === word);
		if (found === undefined) {
			const near = word === '' ? undefined : nearestWord(word, all);
			throw usageError(
				`--columns ${JSON.stringify(text)}: ${JSON.stringify(word)} is not a column${near === undefined ? '.' : `; did you mean ${near}?`}`,
				`Columns are ${joinNames(all)}, separated by commas.`,
			);
		}
		if (words.indexOf(word) !== at)
			throw usageError(`--columns ${JSON.stringify(text)} names ${word} twice.`, 'Name each column once.');
		return found;
	});
};

/**
 * Columns of a table, named as in the screens: from `--columns`, else from the settings, else
 * `usual`. @throws {CommandError} if `--columns` is invalid.
 */
export const columnsFor = <T extends keyof ChosenColumns, Row>(
	context: Pick<Context, 'options' | 'env'>,
	table: T,
	{columns}: ColumnOptions,
	all: Readonly<Record<NonNullable<ChosenColumns[T]>[number], Column<Row>>>,
	usual: readonly Column<Row>[],
): readonly Column<Row>[] => {
	type Key = NonNullable<ChosenColumns[T]>[number];
	const keys = Object.keys(all) as readonly Key[];
	const chosen: readonly Key[] | null =
		columns === undefined
			? readStartupSettings(context.options, context.env).columns[table]
			: named(columns, keys);
	return chosen === null
		? usual
		: chosenOf(
				keys.map(key => ({key, ...all[key]})),
				chosen,
			);
};
