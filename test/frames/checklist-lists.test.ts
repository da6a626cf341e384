// Rules for rows of lists.
import {expect, test} from 'vitest';
import {shownText, withScene} from './draw.tsx';
import {sceneName, type Scene} from './scene.ts';
import {scenes} from './scenes/index.ts';

const sceneOf = (name: string): Scene => scenes.find(scene => sceneName(scene) === name)!;

test.each([
	{columns: 80, rows: 24},
	{columns: 120, rows: 40},
	{columns: 200, rows: 50},
])('group rows stand under Offers, Up now, From, To and a range on one scale: %j', async size => {
	await withScene(sceneOf('compute groups'), size, async ({frame}) => {
		const lines = (await shownText(frame, size)).split('\n');
		const head = lines.find(line => /Offers +Up now +From +To +/.test(line)) ?? '';
		expect(head).toMatch(/^ {5}GPU /);
		expect(head).toMatch(/ 0 to 1290(?: |$)/);
		const endOf = (text: string, words: string): number => text.indexOf(words) + words.length;
		const row = lines.find(line => line.includes('▿ H100')) ?? '';
		for (const [column, value] of [
			['Offers', ' 2'],
			['From', ' 2.49'],
			['To', ' 23.92'],
		] as const)
			expect(endOf(row, value)).toBe(endOf(head, column));
		// All bars are equally long, and that of the most expensive group ends at their right end.
		const bars = lines.flatMap(line => /[▹▿] .* ([━─]{8,})(?: |$)/.exec(line)?.[1] ?? []);
		expect(bars.length).toBeGreaterThan(5);
		expect(new Set(bars.map(bar => bar.length)).size).toBe(1);
		expect(lines.find(line => line.includes('H200'))).toMatch(/━( |$)/);
	});
});
