import fc from 'fast-check';
import {expect, test} from 'vitest';
import {tabIn} from '../../../src/tui/cells/help/completion.ts';

test.each([
	['', 'next pane'],
	['    ', 'indent'],
	['if x:\n', 'indent'],
	['pri', 'complete'],
	['np.lin', 'complete'],
	['np.', 'complete'],
	['print(na', 'complete'],
])('with %j before the cursor Tab does: %s', (before, what) => {
	expect(tabIn(before)).toBe(what);
});

test.each(['rows[0].', 'rows[0].ap', '"abc".', '"abc".up', 'f(x).', 'x = ', 'f(', '1', '{}.ke'])(
	'with %j before the cursor Tab gives the reason why it does nothing',
	before => {
		expect(tabIn(before)).toMatchObject({says: expect.stringMatching(/name/)});
	},
);

test.each(['rows[0].', '"abc".', 'x = ', 'f(', 'open("da'])(
	'with %j before the cursor a kernel is asked',
	before => {
		expect(tabIn(before, true)).toBe('complete');
	},
);

test('Tab leaves an editor only where nothing is before the cursor', () => {
	fc.assert(
		fc.property(
			fc.string({unit: fc.constantFrom('a', '.', ' ', '\n', '[', ']', '"', '(', ')', 'é', '日', '1')}),
			before => {
				expect(tabIn(before) === 'next pane').toBe(before === '');
				expect(tabIn(before, true) === 'next pane').toBe(before === '');
			},
		),
	);
});
