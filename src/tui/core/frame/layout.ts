import {allPanes, dialogSpec, isPane, screenSpec} from '../features.ts';
import type {Dialog, Pane, Rect, State} from '../program.ts';
import {lastResult} from '../store/last-result.ts';
import type {RouteState} from '../store/route.ts';
import {
	BODY_TOP,
	classOf,
	FRAME_ROWS,
	workspaceLayout,
	type PaneRect,
	type WorkspaceLayout,
} from './workspace-layout.ts';

export type {Rect};

/** Smallest usable terminal. In a smaller one, the program only states the required size. */
export const SMALLEST = {columns: 60, rows: 15} as const;

/** Area of the body: between the header, and the rows of the notice and the footer. */
export const bodyOf = (columns: number, rows: number): Rect => ({
	x: 0,
	y: BODY_TOP,
	width: columns,
	height: rows - FRAME_ROWS,
});

/** The area of a dialog: the body below the titles, which stay visible, or all of the body. */
export const dialogAreaOf = (dialog: Dialog, columns: number, rows: number): Rect => {
	if (dialogSpec(dialog).coversTitles) return bodyOf(columns, rows);
	const {height, ...body} = bodyOf(columns, rows);
	return {...body, y: BODY_TOP + 1, height: height - 1};
};

/** All panes except the main one, in the order of their screens. */
export const companionsOf = (main: Pane): readonly Pane[] => allPanes().filter(pane => pane !== main);

type Route = Pick<RouteState, 'companions' | 'dividers'>;
const laidOut = lastResult(
	(
		columns: number,
		rows: number,
		main: Pane,
		focus: Pane,
		last: Pane,
		chosen: Route['companions'],
		filled: string,
		hasRail: boolean,
		isAlone: boolean,
		dividers: Route['dividers'],
	): WorkspaceLayout => {
		const companions = companionsOf(main);
		return workspaceLayout(columns, rows, {
			...{main, focus, companions, last, hasRail, isAlone},
			inUse: new Set(companions.filter(pane => chosen[pane] === 'open')),
			closed: new Set(companions.filter(pane => chosen[pane] === 'closed')),
			filled: new Set(filled.split(' ') as Pane[]),
			dividers: dividers[classOf(columns)],
		});
	},
);

/** True if only the focused pane is shown. */
export const isPaneAlone = ({zoomed, isSpoken}: State): boolean => zoomed || isSpoken;

/** True if the main pane has a tree that can be beside its content. */
export const hasTree = (state: State): boolean =>
	screenSpec(state.main).hasRail?.(state, state.current ?? '') === true;

/** The panes of the workspace as they are on the screen. */
export const layoutNow = (
	state: State,
	columns: number,
	rows: number,
	alone = isPaneAlone(state),
): WorkspaceLayout => {
	const {main, screen, lastCompanion, companions, dividers, current, isTreeHidden} = state;
	const filled = allPanes()
		.filter(pane => screenSpec(pane).hasContent?.(state, current ?? ''))
		.join(' ');
	return laidOut(
		columns,
		rows,
		main,
		isPane(screen) ? screen : main,
		lastCompanion,
		companions,
		filled,
		hasTree(state) && !isTreeHidden,
		alone,
		dividers,
	);
};

/** Area of the focused pane. */
export const focusedRect = (state: State, columns: number, rows: number): PaneRect | undefined =>
	layoutNow(state, columns, rows).panes.find(({pane}) => pane === state.screen);
