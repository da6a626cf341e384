/** Widths of the values in a column, narrowest first. `count`: number of values of that width. */
export type Counts = readonly (readonly [cells: number, count: number])[];

export const widthCounts = (cells: Iterable<number>): Counts => {
	const counts = new Map<number, number>();
	for (const each of cells) counts.set(each, (counts.get(each) ?? 0) + 1);
	return [...counts].sort(([one], [other]) => one - other);
};

/**
 * Divides `room` cells among columns so that few values are cut. Null if the minimum widths do not
 * fit. A column gets at least `least` and at most `natural` cells. A larger `room` never makes a
 * column narrower, because columns always grow in the same order.
 */
export const fitColumns = (
	columns: readonly {readonly natural: number; readonly least: number; readonly counts: Counts}[],
	room: number,
): readonly number[] | null => {
	const given = columns.map(({natural, least}) => Math.min(natural, least));
	let spare = room - given.reduce((sum, each) => sum + each, 0);
	if (spare < 0) return null;
	const give = (column: number, cells: number): void => {
		const more = Math.min(spare, cells - (given[column] ?? 0));
		given[column] = (given[column] ?? 0) + more;
		spare -= more;
	};
	while (spare > 0) {
		let best = {column: -1, cells: 0, worth: 0};
		for (const [column, {natural, counts}] of columns.entries()) {
			const now = given[column] ?? 0;
			let whole = 0;
			for (const [cells, count] of counts) {
				if (cells <= now) continue;
				if (cells > natural) break;
				whole += count;
				const worth = whole / (cells - now);
				if (worth > best.worth) best = {column, cells, worth};
			}
		}
		if (best.column < 0) break;
		give(best.column, best.cells);
	}
	for (const [column, {natural}] of columns.entries()) give(column, natural);
	return given;
};
