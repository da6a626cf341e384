// What the keys of a scope do, where a room says so by itself: nothing has to be on screen for it.
import {bodyOf, paneRects, wantedNow} from '../frame/layout.ts';
import type {Pane, Rect, Scope, State} from '../program.ts';
import {allFeatures, dialogSpec, isClosed, isPane, screenSpec, workspaceInfo} from '../features.ts';
import type {KeyContext, ScopeHandlers, TextHandler} from '../feature.ts';

/** Cells of the terminal. */
export type Size = {readonly columns: number; readonly rows: number};

type Values = Readonly<Record<string, () => string | void>> & {readonly typed?: TextHandler};

/** Rectangle of the focused part of the screen. */
export const rectOf = (state: State, {columns, rows}: Size): Rect =>
	(state.dialogs.length === 0 && isPane(state.screen) && !isClosed(state)
		? paneRects({...state, wanted: wantedNow(state)}, columns, rows).find(({pane}) => pane === state.screen)
		: undefined) ?? bodyOf(columns, rows);

/** Handlers of the dialog, else of the screen. */
const topmost = (state: State): ScopeHandlers | undefined => {
	const dialog = state.dialogs.at(-1);
	if (dialog) return dialogSpec(dialog).handlers;
	return isClosed(state) ? workspaceInfo()?.handlers : screenSpec(state.screen).handlers;
};

/** Handlers of a scope, from the first table or from a feature that answers everywhere. */
const makeHandlers = (first: ScopeHandlers | undefined, scope: Scope, at: KeyContext): Values | undefined => {
	const tables = [first, ...allFeatures().map(({handlers}) => handlers)];
	const make = tables.find(table => table?.[scope])?.[scope] as ((at: KeyContext) => Values) | undefined;
	return make?.(at);
};

export const handlersOf = (scope: Scope, at: Omit<KeyContext, 'rect'>): Values | undefined => {
	const state = at.get();
	return makeHandlers(topmost(state), scope, {...at, rect: rectOf(state, at)});
};

/** Those of a pane, whether it has the keys or not. */
export const handlersIn = (pane: Pane, scope: Scope, at: KeyContext): Values | undefined =>
	makeHandlers(screenSpec(pane).handlers, scope, at);
