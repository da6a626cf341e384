// Lists that are loading or have failed: the time so far, and the keys that help.
import {describe, expect, test} from 'vitest';
import {shownText, withScene} from './draw.tsx';
import {sceneName, type Scene} from './scene.ts';
import {scenes} from './scenes/index.ts';

const SIZE = {columns: 80, rows: 24};
const CTRL_C = '\u0003';

const sceneOf = (name: string): Scene => scenes.find(scene => sceneName(scene) === name)!;

const LISTS = [
	['servers', 'servers'],
	['compute', 'offers'],
	['environments', 'environments'],
] as const;

describe.each(LISTS)('%s', (screen, what) => {
	test('while it loads, the screen shows seconds that move, and the key that stops it', async () => {
		await withScene(sceneOf(`${screen} loading`), SIZE, async ({frame, store, press, tick}) => {
			expect(await shownText(frame, SIZE)).toMatch(
				new RegExp(`^ {3}◌ Loading ${what} from nb\\.example$`, 'm'),
			);
			for (const seconds of [1, 2, 3])
				expect(await shownText(await tick(), SIZE)).toMatch(
					new RegExp(`◌ Loading ${what} from nb\\.example {3}${seconds} s$`, 'm'),
				);
			expect(await shownText(await tick(), SIZE)).toMatch(/\n\n {3}\^C stop {3}! the call/);
			const stopped = await shownText(await press(CTRL_C), SIZE);
			expect(stopped).toMatch(/✗ Stopped before the response arrived\.[^]* {3}R now/);
			expect(stopped).not.toMatch(/◌ Loading|Next try/);
			expect(store.getState()[screen].status).toBe('failed');
			// A second Ctrl-C quits, as it does everywhere.
			expect(store.getState().quitting).toBe(true);
			await press('R');
			expect(store.getState()[screen].status).toBe('loading');
		});
	});

	test('a failed list keeps its old rows, dimmed, with their age and a countdown', async () => {
		const scene = sceneOf(`${screen} not-renewed`);
		await withScene(scene, SIZE, async ({frame, store, tick, settled}) => {
			const before = await shownText(frame, SIZE);
			const name = screen === 'servers' ? 'welcome' : screen === 'compute' ? 'H100' : 'PyTorch';
			expect(before).toMatch(/ 1 min old ─/);
			const rows = frame.split('\n').slice(3, 15);
			// Rows of a list start with three blanks for their marks.
			const listed = rows.filter(row => /^(?:\u001B\[[\d;]*m)* {3,4}[^ ]/.test(row) && row.includes(name));
			expect(listed.length).toBeGreaterThan(0);
			for (const row of listed) expect(row).toMatch(/^\u001B\[2m/);
			expect(before).toMatch(/! nb\.example failed \(503\)[^]*R now {3}! call and answer/);
			const list = store.getState()[screen];
			store.setState({[screen]: {...list, again: Date.now() + 22_000}} as never);
			await settled();
			const counted = [await tick(), await tick()];
			expect(await shownText(counted[0]!, SIZE)).toMatch(/ {3}Next try in 21 s {3}R now/);
			expect(await shownText(counted[1]!, SIZE)).toMatch(/ {3}Next try in 20 s {3}R now/);
		});
	});

	test('a list that is neither awaited nor failing draws nothing by itself', async () => {
		await withScene(sceneOf(`${screen} full`), SIZE, async ({frame, tick}) => {
			expect(await tick()).toBe(frame);
		});
	});
});
