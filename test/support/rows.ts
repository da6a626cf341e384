import {test} from 'vitest';

/**
 * Defines a test for each row of a table. The first `short` ones are short, the others are long.
 */
export const testRows = <Row extends readonly unknown[]>(
	title: string,
	rows: readonly Row[],
	short: number,
	body: (row: Row) => Promise<void>,
): void => {
	const run = async (...row: readonly unknown[]): Promise<void> => body(row as Row);
	test.each(rows.slice(0, short))(title, run);
	test.each(rows.slice(short))(title, {tags: 'long'}, run);
};
