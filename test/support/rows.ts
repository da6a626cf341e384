import {test} from 'vitest';

/**
 * A test for each row of a table: the first `short` of them are short, the others belong to the
 * long matrix.
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
