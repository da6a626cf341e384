import {afterEach, expect, test} from 'vitest';
import {estimateText, perDay, perHour, setCurrency, sumPerHour} from '../../src/text/money.ts';

afterEach(() => setCurrency(''));

test('a symbol stands before the price, letters behind it, and no blank before the hour', () => {
	for (const [currency, rate, unknown] of [
		['$', '$4.82/h', '?/h'],
		['€', '€4.82/h', '?/h'],
		['US$', 'US$4.82/h', '?/h'],
		['EUR', '4.82 EUR/h', '?/h'],
		['', '4.82/h', '?/h'],
	] as const) {
		setCurrency(currency);
		expect(perHour(4.82)).toBe(rate);
		expect(perHour(undefined)).toBe(unknown);
	}
	setCurrency('$');
	expect(perHour(-0.5)).toBe('-$0.50/h');
	expect(sumPerHour({rate: 3.19, known: 3, unknown: 1})).toBe('$3.19/h and 1 unknown');
});

test('the price per day is 24 times the price per hour, in whole units from 10 on', () => {
	setCurrency('$');
	expect([4.82, 2.49, 0.1, 0.42, 0].map(perDay)).toEqual([
		'$116/day',
		'$60/day',
		'$2.40/day',
		'$10/day',
		'$0.00/day',
	]);
	setCurrency('EUR');
	expect(perDay(0.1)).toBe('2.40 EUR/day');
	expect(perDay(undefined)).toBe('?/day');
});

test('an estimate that may be too low says so in front, and no figure ends in a plus', () => {
	expect(estimateText(1.05, true)).toBe('≥1.05');
	expect(estimateText(0, true)).toBe('≥0.00');
	expect(estimateText(0.0001, false)).toBe('<0.01');
	expect(estimateText(5.524, false)).toBe('5.52');
});
