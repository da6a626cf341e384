import {expect, test} from 'vitest';
import {budgetEnd, costByDay, dayOf} from '../../src/service/limits/spending.ts';

const HOUR = 3_600_000;
const at = (day: number, hour: number): number => new Date(2026, 10, day, hour).getTime();

test('a time span across midnight counts for both days', () => {
	expect(costByDay(at(27, 22), at(28, 3), 2)).toEqual([
		{day: '2026-11-27', amount: 4},
		{day: '2026-11-28', amount: 6},
	]);
	expect(costByDay(at(27, 22), at(27, 22), 2)).toEqual([]);
	expect(dayOf(at(27, 0))).toBe('2026-11-27');
});

test('a budget ends at its rate, never after midnight', () => {
	const now = at(27, 12);
	expect(budgetEnd(now, {budget: 10, spent: 4, rate: 2})).toBe(now + 3 * HOUR);
	expect(budgetEnd(now, {budget: 10, spent: 10, rate: 0})).toBe(now);
	expect(budgetEnd(now, {budget: 100, spent: 4, rate: 2})).toBeNull();
	expect(budgetEnd(now, {budget: 10, spent: 4, rate: 0})).toBeNull();
});
