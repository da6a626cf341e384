// The dividers between panes: keys move them by steps, the mouse drags them.
import {isClosed, isPane} from '../features.ts';
import {layoutNow} from '../frame/layout.ts';
import {classOf, widthsOf, type Dividers} from '../frame/workspace-layout.ts';
import type {State} from '../program.ts';
import {route} from '../store/route.ts';
import type {Size} from './key-context.ts';

type Divider = keyof Dividers;

/**
 * Sets the width left of a divider, in cells, if a line of code still fits. Returns false if the
 * divider stays.
 */
export const placeDivider = (get: () => State, columns: number, divider: Divider, width: number): boolean => {
	const kind = classOf(columns);
	const moved = get().dividers[kind];
	const before = widthsOf(columns, moved);
	const wanted = {...moved, [divider]: width};
	const now = widthsOf(columns, wanted);
	if (now.rail === before.rail && now.main === before.main) return false;
	route(get).setDividers(kind, {...wanted, [divider]: now[divider]});
	return true;
};

type At = {readonly x: number; readonly y: number};

/** The divider at a position of the screen, if there is one. */
export const dividerAt = (state: State, {columns, rows}: Size, {x, y}: At): Divider | undefined => {
	if (!isPane(state.screen) || isClosed(state)) return undefined;
	const [main] = layoutNow(state, columns, rows).panes;
	if (main === undefined || y < main.y || y >= main.y + main.height) return undefined;
	if (main.rail > 0 && x === main.rail) return 'rail';
	return main.width < columns && x === main.width ? 'main' : undefined;
};

/** Moves the divider that the user drags to a column. */
export const dragDivider = (get: () => State, {columns, rows}: Size, x: number): void => {
	const {dragged} = get();
	if (dragged === null) return;
	const rail = layoutNow(get(), columns, rows).panes[0]?.rail ?? 0;
	placeDivider(get, columns, dragged, dragged === 'rail' || rail === 0 ? x : x - rail - 1);
};
