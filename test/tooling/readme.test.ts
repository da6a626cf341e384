import {expect, test} from 'vitest';
import {checkReadme} from './readme.ts';

test("README's tables of keys and commands say what the program does; npm run docs renews them", async () => {
	const {is, shouldBe} = await checkReadme();
	expect(is).toBe(shouldBe);
});
