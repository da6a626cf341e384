import {expect, test} from 'vitest';
import {cellWidth} from '../../../src/text/width/width.ts';
import {withAscii} from '../../../src/tui/core/theme/ascii.ts';
import {glyph} from '../../../src/tui/core/theme/glyphs.ts';

test('one glyph, one meaning: no character has two names', () => {
	const names = new Map<string, string[]>();
	for (const [name, mark] of Object.entries(glyph)) names.set(mark, [...(names.get(mark) ?? []), name]);
	expect([...names.values()].filter(those => those.length > 1)).toEqual([]);
});

test('every glyph is one cell wide, also in ASCII', () => {
	for (const [name, mark] of Object.entries(glyph)) {
		expect(cellWidth(mark), name).toBe(1);
		expect(withAscii(mark), name).toMatch(/^[ -~]$/);
	}
});

test('in ASCII, too, marks in the same position are different', () => {
	for (const those of [
		['ready', 'starting', 'offline', 'other', 'no', 'yes'],
		['chosen', 'notChosen'],
		['notice', 'yes', 'no', 'prompt'],
		['cursor', 'folded', 'unfolded'],
		['added', 'removed', 'down', 'up', 'yes', 'no'],
		['rule', 'here', 'tick'],
		['moreLeft', 'moreRight'],
	] as const)
		expect(new Set(those.map(name => withAscii(glyph[name]))).size, those.join(', ')).toBe(those.length);
});
