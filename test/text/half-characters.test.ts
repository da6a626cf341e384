// @module-tag long
import {expect, test} from 'vitest';
import {label} from '../../src/text/safe.ts';

// Found by a property of `safe.test.ts` (seed -1762991292). The test is in a separate file, because
// its result depends on when V8 compiles `reveal`.
test('half a character at the end of a slice is never joined with what follows the slice', () => {
	const text = '\u001b[1;4m\u001b\u001b\u{e0041}\u{16d67}\u{16d63}👩𐀀\u{6e93e}\u001b[K';
	const broken = new Set<string>();
	for (let time = 0; time < 10_000; time++)
		for (let at = 0; at <= text.length; at++)
			for (const half of [text.slice(0, at), text.slice(at)])
				if (!label(half).isWellFormed()) broken.add(half);
	expect([...broken]).toEqual([]);
});
