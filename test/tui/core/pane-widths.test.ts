import {expect, test} from 'vitest';
// Registers the panes of the listed features.
import '../../../src/tui/feature-list.ts';
import {LEAST_PANE, movedWidths, paneRects, SMALLEST, TWO_PANES} from '../../../src/tui/core/frame/layout.ts';

const docked = {files: true, repl: true, assistant: true};
const PLACES = (['files', 'repl', 'assistant'] as const).flatMap(screen =>
	[
		{},
		{wanted: {files: 40}},
		{paneWidths: {files: 500, repl: 1}},
		{paneWidths: {repl: 90, assistant: 31}},
	].map(more => ({screen, docked, partner: 'repl' as const, ...more})),
);

test('panes and their dividers take the whole width, and none is too narrow to be used', () => {
	for (const place of PLACES)
		for (let columns: number = SMALLEST.columns; columns <= 220; columns++) {
			const rects = paneRects(place, columns, 24);
			expect(rects.reduce((sum, {width}) => sum + width, rects.length - 1)).toBe(columns);
			for (const [index, {x, width}] of rects.entries()) {
				expect(x).toBe(rects.slice(0, index).reduce((sum, each) => sum + each.width + 1, 0));
				expect(width).toBeGreaterThanOrEqual(LEAST_PANE);
			}
		}
});

test('a wider terminal of the same class makes no pane narrower', () => {
	for (const place of PLACES)
		for (let columns: number = TWO_PANES; columns < 220; columns++) {
			const [narrow, wide] = [paneRects(place, columns, 24), paneRects(place, columns + 1, 24)];
			// The first pane has the room of a line of code from 132 columns on.
			if (narrow.length !== wide.length || columns === 131) continue;
			for (const [index, {width}] of wide.entries())
				expect(width, `${columns}`).toBeGreaterThanOrEqual((narrow[index]?.width ?? 0) - 1);
		}
});

test('a tree alone leaves the REPL and the assistant more than a third', () => {
	const widths = paneRects({screen: 'repl', docked, partner: 'repl', wanted: {files: 40}}, 200, 50).map(
		({width}) => width,
	);
	expect(widths).toEqual([40, 79, 79]);
});

test('code beside the assistant has the room of its lines, and keeps it in wider terminals', () => {
	const codeAt = (columns: number): number =>
		paneRects({screen: 'files', docked, partner: 'files'}, columns, 40)[0]?.width ?? 0;
	expect([132, 140, 169, 199, 200, 250].map(codeAt)).toEqual([88, 92, 106, 110, 92, 104]);
	for (let columns = 132; columns <= 400; columns++) {
		expect(codeAt(columns)).toBeGreaterThanOrEqual(88);
		// Three panes appear at 200 columns.
		if (columns !== 200)
			expect(codeAt(columns)).toBeGreaterThanOrEqual(columns === 132 ? 0 : codeAt(columns - 1));
	}
});

test('a moved divider gives to one pane what it takes from the other, and can be moved back', () => {
	const place = {screen: 'repl', docked, partner: 'repl'} as const;
	const before = paneRects(place, 200, 50).map(({width}) => width);
	const wider = movedWidths(place, 200, 6);
	expect(wider).toEqual({files: before[0], repl: (before[1] ?? 0) + 6, assistant: (before[2] ?? 0) - 6});
	const moved = {...place, paneWidths: wider ?? {}};
	expect(paneRects(moved, 200, 50).map(({width}) => width)).toEqual(Object.values(wider ?? {}));
	expect(movedWidths(moved, 200, -6)).toEqual({files: before[0], repl: before[1], assistant: before[2]});
	// The last pane has its neighbour at the left.
	expect(movedWidths({...place, screen: 'assistant'}, 200, 6)?.repl).toBe((before[1] ?? 0) - 6);
});

test('a divider stops where a pane would be too narrow, and there is none beside a pane that is alone', () => {
	const place = {screen: 'repl', docked, partner: 'repl'} as const;
	let widths: NonNullable<ReturnType<typeof movedWidths>> = {};
	let moves = 0;
	for (;;) {
		const next = movedWidths({...place, paneWidths: widths}, 120, 6);
		if (next === null) break;
		widths = next;
		moves++;
	}
	expect(moves).toBeGreaterThan(2);
	expect(widths.assistant).toBeLessThan(LEAST_PANE + 6);
	expect(movedWidths(place, 80, 6)).toBeNull();
});
