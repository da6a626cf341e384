import {expect, test} from 'vitest';
import {checkReadme} from '../../src/build/readme.ts';

test('README\'s tables of keys and commands say what the program does; npm run docs renews them', async () => {
	const {is, shouldBe} = await checkReadme();
	expect(is).toBe(shouldBe);
});
