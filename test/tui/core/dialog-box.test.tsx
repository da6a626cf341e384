import {Box} from 'ink';
import {render} from 'ink-testing-library';
import {expect, test} from 'vitest';
import {withoutColours} from '../../../src/text/width/width.ts';
import {Rows} from '../../../src/tui/core/components/rows.tsx';
import {DialogBox} from '../../../src/tui/core/dialogs/dialog-box.tsx';

test('a row behind a box keeps its text up to both edges, and a wide character there is a blank', () => {
	const rows = ['abcdefg '.repeat(12), '日本語の'.repeat(12), ...Array.from({length: 8}, () => '')];
	const {lastFrame, unmount} = render(
		<Box width={96} height={10}>
			<Rows height={10} lines={rows} />
			<DialogBox title="Keys" lines={['a']} body={{x: 0, y: 0, width: 96, height: 4}} width={49} />
		</Box>,
	);
	const [first = '', second = ''] = withoutColours(lastFrame() ?? '').split('\n');
	unmount();
	const left = (96 - 49 - 1) / 2;
	expect(first.slice(0, left + 3)).toBe(`${(rows[0] ?? '').slice(0, left)}╭ K`);
	expect(first.slice(left + 49)).toBe((rows[0] ?? '').slice(left + 49, 96).trimEnd());
	// A width of 23 cells: eleven wide characters, and half of a twelfth.
	expect(second).toMatch(/^[日本語の]{11} │ a +│[日本語の]{12}$/u);
});
