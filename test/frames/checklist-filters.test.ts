// Esc first clears a filter, which Up restores, and only then leaves the screen.
import {expect, test} from 'vitest';
import {withScene} from './draw.tsx';
import {sceneName, type Scene} from './scene.ts';
import {scenes} from './scenes/index.ts';

const SIZE = {columns: 80, rows: 24};
const ESC = '\u001B[27u';
const UP = '\u001B[A';

const sceneOf = (name: string): Scene => scenes.find(scene => sceneName(scene) === name)!;

test.each(['compute', 'environments'] as const)(
	'Esc in the filtered list of %s clears the filter and stays, the next Esc leaves, and / ↑ restores the filter',
	async screen => {
		await withScene(sceneOf(`${screen} full`), SIZE, async ({store, press}) => {
			const now = () => ({
				screen: store.getState().screen,
				filter: store.getState().lists[screen].filter.text,
			});
			await press('/');
			await press('a1');
			await press('\r');
			expect(now()).toEqual({screen, filter: 'a1'});
			await press(ESC);
			expect(now()).toEqual({screen, filter: ''});
			await press('/');
			await press(UP);
			expect(now()).toEqual({screen, filter: 'a1'});
			await press('\r');
			await press(ESC);
			await press(ESC);
			expect(now()).toEqual({screen: 'servers', filter: ''});
		});
	},
);
