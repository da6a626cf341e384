import {expect, test} from 'vitest';
// Registers the panes of the listed features.
import '../../../src/tui/feature-list.ts';
import type {Rect} from '../../../src/tui/core/program.ts';
import {SMALLEST} from '../../../src/tui/core/frame/layout.ts';
import {
	BODY_TOP,
	classOf,
	CODE,
	FRAME_ROWS,
	LEAST_PANE,
	LEAST_RAIL,
	workspaceLayout,
	type WorkspaceLayout,
	type WorkspacePlace,
} from '../../../src/tui/core/frame/workspace-layout.ts';

const PANES = ['files', 'repl', 'assistant'] as const;
/** Panes that are open, and panes that are closed. */
const USES = [
	[[], []],
	[['repl'], []],
	[['assistant'], ['assistant']],
	[PANES, ['repl']],
	[PANES, []],
	[PANES, PANES],
] as const;
const DIVIDERS = [{}, {rail: 200, main: 1}, {rail: 1, main: 500}, {main: 96}] as const;

const PLACES: readonly WorkspacePlace[] = PANES.flatMap(main =>
	PANES.flatMap(focus =>
		PANES.flatMap(last =>
			USES.flatMap(([inUse, closed]) =>
				[true, false].flatMap(hasRail =>
					DIVIDERS.map(dividers => ({
						main,
						focus,
						last,
						companions: PANES.filter(pane => pane !== main),
						inUse: new Set(inUse),
						filled: new Set(inUse),
						closed: new Set(closed),
						hasRail: hasRail && main === 'files',
						isAlone: false,
						dividers,
					})),
				),
			),
		),
	),
);

const FILES: WorkspacePlace = {
	main: 'files',
	focus: 'files',
	last: 'assistant',
	companions: ['repl', 'assistant'],
	inUse: new Set(),
	filled: new Set(),
	closed: new Set(),
	hasRail: true,
	isAlone: false,
};
const CHATTING: WorkspacePlace = {...FILES, inUse: new Set(['assistant']), filled: new Set(['assistant'])};

/** Content width of the main pane, without a tree. */
const codeIn = ({panes: [main]}: WorkspaceLayout): number =>
	main === undefined ? 0 : main.width - (main.rail > 0 ? main.rail + 1 : 0);
const widthsAt = (columns: number, place = CHATTING): readonly number[] => {
	const {panes} = workspaceLayout(columns, 50, place);
	return [panes[0]?.rail ?? 0, codeIn({panes, dock: null}), ...panes.slice(1).map(({width}) => width)];
};

const overlap = (one: Rect, other: Rect): boolean =>
	one.x < other.x + other.width &&
	other.x < one.x + one.width &&
	one.y < other.y + other.height &&
	other.y < one.y + one.height;

const SIZES = Array.from({length: 400 - SMALLEST.columns}, (_, at) => SMALLEST.columns + at);

test('panes, docks and the columns between them fill the body, and none covers another', () => {
	for (const place of PLACES)
		for (const columns of [60, 111, 112, 132, 170, 231, 399])
			for (const rows of [SMALLEST.rows, 50]) {
				const {panes, dock} = workspaceLayout(columns, rows, place);
				const all = [...panes, ...(dock ? [dock] : [])];
				const isInside = all.every(
					({x, y, width, height}) =>
						width > 0 &&
						height > 0 &&
						x >= 0 &&
						y >= BODY_TOP &&
						x + width <= columns &&
						y + height <= rows - 2,
				);
				const covered = all.filter((one, at) => all.slice(at + 1).some(other => overlap(one, other)));
				expect([isInside, covered]).toEqual([true, []]);
				const between = new Set(panes.filter(({x}) => x > 0).map(({x}) => x - 1));
				const cells = all.reduce((sum, {width, height}) => sum + width * height, 0);
				expect(cells + between.size * (rows - FRAME_ROWS)).toBe(columns * (rows - FRAME_ROWS));
				// Each pane is either drawn or listed in the dock, once.
				expect([...panes.map(({pane}) => pane), ...(dock?.panes ?? [])].toSorted()).toEqual(PANES.toSorted());
				expect(panes.map(({pane}) => pane)).toContain(place.focus);
			}
});

test('a pane below another has a title, a line, a rule and a field, also in the smallest terminal', () => {
	for (const place of PLACES)
		for (const rows of [SMALLEST.rows, 20, 24])
			for (const {height, width, rail} of workspaceLayout(60, rows, place).panes) {
				expect(height).toBeGreaterThanOrEqual(4);
				expect([width, rail]).toEqual([60, 0]);
			}
});

test('the columns are those of the design', () => {
	expect(widthsAt(80)).toEqual([0, 80, 80]);
	expect(widthsAt(120)).toEqual([20, 99, 120]);
	expect(widthsAt(140)).toEqual([0, 92, 47]);
	expect(widthsAt(200)).toEqual([24, 100, 74]);
	expect(widthsAt(230)).toEqual([24, 100, 104]);
	expect(widthsAt(231)).toEqual([28, 100, 50, 50]);
	expect(widthsAt(250)).toEqual([28, 110, 54, 55]);
});

test('no terminal from 88 columns on takes code its width, and a wider one of a class never makes it narrower', () => {
	const wrong: object[] = [];
	for (const place of PLACES)
		for (const columns of SIZES) {
			const width = codeIn(workspaceLayout(columns, 40, place));
			const wider =
				classOf(columns) === classOf(columns + 1)
					? codeIn(workspaceLayout(columns + 1, 40, place))
					: Infinity;
			if (width < Math.min(CODE, columns) || wider < width) wrong.push({columns, width, wider, place});
		}
	expect(wrong).toEqual([]);
});

test('the keys change heights, never the width of a pane that stays', () => {
	const wrong: object[] = [];
	for (const place of PLACES)
		for (const columns of SIZES.filter(each => each % 7 === 0)) {
			const before = workspaceLayout(columns, 40, place).panes;
			for (const focus of PANES)
				for (const {pane, x, width, rail} of workspaceLayout(columns, 40, {...place, focus}).panes) {
					const same = before.find(each => each.pane === pane);
					if (same && (x !== same.x || width !== same.width || rail !== same.rail))
						wrong.push({columns, focus, pane, place});
				}
		}
	expect(wrong).toEqual([]);
});

test('companions below are a row while idle, a third in use, and two thirds with the keys', () => {
	const heights = (place: WorkspacePlace, rows: number): readonly number[] =>
		workspaceLayout(80, rows, place).panes.map(({height}) => height);
	expect(heights(FILES, 24)).toEqual([20]);
	expect(workspaceLayout(80, 24, FILES).dock).toEqual({
		x: 0,
		y: 21,
		width: 80,
		height: 1,
		panes: ['repl', 'assistant'],
	});
	expect(heights(CHATTING, 24)).toEqual([13, 7]);
	expect(heights({...CHATTING, focus: 'assistant'}, 24)).toEqual([6, 14]);
	expect(heights({...CHATTING, focus: 'assistant'}, 15)).toEqual([4, 7]);
});

test('a divider stays within what both sides need', () => {
	for (const columns of SIZES.filter(each => each >= 112))
		for (const dividers of DIVIDERS) {
			const {panes} = workspaceLayout(columns, 40, {...CHATTING, dividers});
			for (const {width} of panes.slice(1)) expect(width).toBeGreaterThanOrEqual(LEAST_PANE);
			if (panes[0]?.rail) expect(panes[0].rail).toBeGreaterThanOrEqual(LEAST_RAIL);
		}
	expect(widthsAt(200, {...CHATTING, dividers: {main: 96}})).toEqual([24, 96, 78]);
	expect(widthsAt(200, {...CHATTING, dividers: {rail: 30, main: 100}})).toEqual([30, 100, 68]);
});

test('where all companions are closed, code gets their columns', () => {
	const place: WorkspacePlace = {...CHATTING, closed: new Set(PANES)};
	expect(widthsAt(140, place)).toEqual([0, 140]);
	expect(widthsAt(200, place)).toEqual([24, 175]);
	expect(widthsAt(200, {...place, focus: 'repl'})).toEqual([24, 175, 200]);
	expect(widthsAt(250, {...place, closed: new Set(['repl'])})).toEqual([28, 110, 110]);
});

test('a pane that is alone takes the body', () => {
	expect(workspaceLayout(200, 50, {...CHATTING, focus: 'assistant', isAlone: true})).toEqual({
		panes: [{pane: 'assistant', x: 0, y: BODY_TOP, width: 200, height: 47, rail: 0}],
		dock: null,
	});
});
