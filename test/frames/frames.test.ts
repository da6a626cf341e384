import {expect, test} from 'vitest';
import {differences, strayFiles} from './files.ts';
import {sceneName} from './scene.ts';
import {scenes} from './scenes/index.ts';

const ACCEPT = 'npm run frames writes the frames as they are now; git diff then shows the change for review.';

test.each(scenes.map(scene => [sceneName(scene), scene] as const))(
	'%s looks as its files in test/frames show',
	async (_, scene) => {
		const changes = await differences(scene);
		if (changes !== '') throw new Error(`${changes}\n${ACCEPT}`);
	},
);

test('every file of a frame belongs to a state that is drawn', () => {
	expect(strayFiles(), ACCEPT).toEqual([]);
});
