/** A limit of a figure. `ratio`: the median divided by the reference's median. */
export type Budget = {readonly figure: 'ratio' | 'median' | 'p95'; readonly atMost: number};

export type Unit = 'ms' | 'MB' | 'frames' | 'requests' | '% of a core';

/**
 * A row of the result table before aggregation. Values are in milliseconds or megabytes (1,000,000
 * bytes).
 */
export type Measurement = {
	/** Number of the budget, such as `P1`. */
	readonly id: string;
	readonly what: string;
	readonly unit: Unit;
	readonly values: readonly number[];
	readonly reference?: {readonly what: string; readonly values: readonly number[]};
	readonly budget?: Budget;
};

export type Row = {
	readonly id: string;
	readonly what: string;
	readonly unit: Unit;
	readonly samples: number;
	readonly median: number;
	readonly p95: number;
	readonly reference: {readonly what: string; readonly median: number} | null;
	readonly ratio: number | null;
	readonly budget: Budget | null;
	readonly verdict: 'pass' | 'over' | null;
};

/** The value at or below which this share of the sample lies (nearest rank). */
export const quantile = (values: readonly number[], share: number): number => {
	const sorted = values.toSorted((one, other) => one - other);
	const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
	if (value === undefined) throw new RangeError('a bench measured nothing');
	return value;
};

export const summarize = ({id, what, unit, values, reference, budget}: Measurement): Row => {
	const median = quantile(values, 0.5);
	const p95 = quantile(values, 0.95);
	const against = reference ? {what: reference.what, median: quantile(reference.values, 0.5)} : null;
	const ratio = against ? median / against.median : null;
	const figure = budget ? {ratio, median, p95}[budget.figure] : null;
	if (budget && figure === null) throw new RangeError(`${id}: a budget on the ratio needs a reference`);
	return {
		id,
		what,
		unit,
		samples: values.length,
		median,
		p95,
		reference: against,
		ratio,
		budget: budget ?? null,
		verdict: budget && figure !== null ? (figure <= budget.atMost ? 'pass' : 'over') : null,
	};
};

const number = (value: number): string => value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);

export const table = (rows: readonly Row[]): string => {
	const cells = [
		['', 'what', 'n', 'median', 'p95', 'reference', 'its median', 'ratio', 'budget', ''],
		...rows.map(row => [
			row.id,
			row.what,
			String(row.samples),
			`${number(row.median)} ${row.unit}`,
			`${number(row.p95)} ${row.unit}`,
			row.reference?.what ?? '—',
			row.reference ? `${number(row.reference.median)} ${row.unit}` : '—',
			row.ratio === null ? '—' : `${number(row.ratio)}x`,
			row.budget
				? `${row.budget.figure} ≤ ${row.budget.atMost}${row.budget.figure === 'ratio' ? 'x' : ` ${row.unit}`}`
				: '—',
			row.verdict ?? '',
		]),
	];
	const widths = cells[0]!.map((_, column) => Math.max(...cells.map(line => line[column]!.length)));
	return cells
		.map(line =>
			line
				.map((cell, column) => cell.padEnd(widths[column]!))
				.join('  ')
				.trimEnd(),
		)
		.join('\n');
};
