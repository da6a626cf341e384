// The help: the keys that every user needs, a few of the screen, and a search in all of them.
import {expect, test} from 'vitest';
import {SCREEN_KEYS} from '../../src/tui/core/dialogs/help-keys.ts';
import {keymap} from '../../src/tui/core/keys/keymap.ts';
import type {Scope} from '../../src/tui/core/program.ts';
import {shownText, withScene} from './draw.tsx';
import {boxOf} from './invariants.ts';
import {sceneName, type Scene} from './scene.ts';
import {scenes} from './scenes/index.ts';

const sceneOf = (name: string): Scene => scenes.find(scene => sceneName(scene) === name)!;
const SIZES = [
	{columns: 80, rows: 24},
	{columns: 120, rows: 40},
	{columns: 200, rows: 50},
] as const;
const SCREENS = ['servers', 'compute', 'environments', 'files', 'repl', 'assistant'] as const;

test.each(SIZES)('the help shows 20 keys, those of the screen, and no position: %j', async size => {
	for (const screen of SCREENS)
		await withScene(sceneOf(`dialogs/help ${screen}`), size, async ({frame}) => {
			const text = await shownText(frame, size);
			const rows = boxOf(text.split('\n'))?.rows ?? [];
			expect(rows.filter(row => /^│ [^ ].{20,}[a-z]/.test(row)).length).toBeGreaterThanOrEqual(12);
			expect(rows.join('\n')).toMatch(/ \/ +find here[^]* c +rent a server/);
			expect(rows.join('\n')).toMatch(new RegExp(`On ${screen}`, 'i'));
			expect(rows.at(-1)).toMatch(/^│ Type to search all \d+ keys, ⏎ runs one {3}Tab lists all +│$/);
			expect(rows.join('\n')).not.toMatch(/\d\/\d/);
			expect(text).toMatch(/ esc close ─╯/);
		});
});

test('typing searches all keys in the same place, Tab lists them, Enter without a choice explains', async () => {
	const size = SIZES[1];
	await withScene(sceneOf('dialogs/help servers'), size, async ({frame, press, store}) => {
		const box = async (drawn: string) => boxOf((await shownText(drawn, size)).split('\n'));
		const before = await box(frame);
		const found = await box(await press('token'));
		expect(found?.top).toBe(before?.top);
		expect(found?.left).toBe(before?.left);
		expect(found?.rows.join('\n')).toMatch(/› token[^]*Copy the address with its token +Y /);
		expect(found?.rows.join('\n')).not.toContain('find here');
		expect(await shownText(await press('\u007F'.repeat(5)), size)).toContain('find here');
		expect(await shownText(await press('\r'), size)).toContain('Type to search; Tab lists everything');
		const all = await shownText(await press('\t'), size);
		expect(all).toMatch(/ All keys ─[^]*Servers[^]*Copy the address with its token/);
		expect(store.getState().dialogs.at(-1)?.kind).toBe('help');
	});
});

test('each key of a screen that the help names is in the key table', () => {
	const named = Object.entries(SCREEN_KEYS).flatMap(([scope, keys]) =>
		Object.keys(keys).flatMap(names =>
			names
				.replace('…', '')
				.split(' ')
				.map(action => [scope as Scope, action] as const),
		),
	);
	expect(named.length).toBeGreaterThan(60);
	expect(named.filter(([scope, action]) => !keymap[scope].rows.some(row => row.action === action))).toEqual(
		[],
	);
});
