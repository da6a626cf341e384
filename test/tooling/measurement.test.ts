import {expect, test} from 'vitest';
import {quantile, summarize, table} from '../bench/measurement.ts';

test('the median and p95 are values that were measured', () => {
	const values = Array.from({length: 100}, (_, index) => 100 - index);
	expect([quantile(values, 0.5), quantile(values, 0.95), quantile([7], 0.95)]).toEqual([50, 95, 7]);
	expect(() => quantile([], 0.5)).toThrow('measured nothing');
});

test('a figure over its budget is called so, and one exactly at it passes', () => {
	const reference = {what: 'node', values: [10, 20, 30]};
	const row = (atMost: number) =>
		summarize({
			id: 'P1',
			what: 'start',
			unit: 'ms',
			values: [80],
			reference,
			budget: {figure: 'ratio', atMost},
		});
	expect([row(4).ratio, row(4).verdict, row(3.9).verdict]).toEqual([4, 'pass', 'over']);
	expect(() =>
		summarize({id: 'P1', what: 'start', unit: 'ms', values: [80], budget: {figure: 'ratio', atMost: 4}}),
	).toThrow('needs a reference');
});

test('the table shows every figure beside its budget', () => {
	const text = table([
		summarize({
			id: 'P2',
			what: 'key to frame',
			unit: 'ms',
			values: [4, 5, 20],
			budget: {figure: 'p95', atMost: 16},
		}),
	]);
	expect(text.split('\n')[1]).toMatch(
		/^P2 +key to frame +3 +5\.00 ms +20\.0 ms +— +— +— +p95 ≤ 16 ms +over$/,
	);
});
