import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createLeaveKeys} from '../../../src/text/shell/leave-keys.ts';

const typed = (...pieces: readonly string[]): {readonly text: string; readonly leaves: boolean} => {
	const keys = createLeaveKeys();
	let text = '';
	for (const piece of pieces) {
		const taken = keys.take(piece);
		text += taken.text;
		if (taken.leaves) return {text, leaves: true};
	}
	return {text, leaves: false};
};

test.for([
	['at the start', ['~.'], '', true],
	['after Enter, key by key', ['ls\r', '~', '.'], 'ls\r', true],
	['not within a line', ['cd ~.'], 'cd ~.', false],
	['twice for one', ['\r~~.'], '\r~.', false],
	['with another key behind it', ['\r~/bin'], '\r~/bin', false],
	['not in what is pasted', ['\u001B[200~a\n~.\nb\u001B[2', '01~'], '\u001B[200~a\n~.\nb\u001B[201~', false],
	['after a paste', ['\u001B[200~a\u001B[201~', '\r~.'], '\u001B[200~a\u001B[201~\r', true],
] as const)('%s', ([, pieces, text, leaves]) => {
	expect(typed(...pieces)).toEqual({text, leaves});
});

test('a paste in brackets passes whole, however it is cut', () => {
	fc.assert(
		fc.property(fc.string(), fc.nat(20), (text, cut) => {
			const paste = `\u001B[200~\r~.${text.replaceAll('\u001B', '')}\u001B[201~`;
			expect(typed(paste.slice(0, cut), paste.slice(cut))).toEqual({text: paste, leaves: false});
		}),
	);
});
