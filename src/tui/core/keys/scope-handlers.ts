// What the keys of a scope do, where a room says so by itself: nothing has to be on screen for it.
import {bodyOf, paneRects, wantedNow} from '../frame/layout.ts';
import type {Pane, Rect, Scope, State} from '../program.ts';
import {allFeatures, dialogSpec, isClosed, isPane, screenSpec, workspaceInfo} from '../features.ts';
import type {KeyContext, ScopeHandlers, TextHandler} from '../feature.ts';

/** Cells of the terminal. */
export type Size = {readonly columns: number; readonly rows: number};

type Values = Readonly<Record<string, () => string | void>> & {readonly typed?: TextHandler};

/** Where that stands which has the keys now. */
export const rectOf = (state: State, {columns, rows}: Size): Rect =>
	(state.dialogs.length === 0 && isPane(state.screen) && !isClosed(state)
		? paneRects({...state, wanted: wantedNow(state)}, columns, rows).find(({pane}) => pane === state.screen)
		: undefined) ?? bodyOf(columns, rows);

/** The topmost that answers a scope: the dialog, else the screen, else what works everywhere. */
const tablesFor = (state: State): readonly (ScopeHandlers | undefined)[] => {
	const dialog = state.dialogs.at(-1);
	return [
		dialog
			? dialogSpec(dialog).handlers
			: isClosed(state)
				? workspaceInfo()?.handlers
				: screenSpec(state.screen).handlers,
		...allFeatures().map(({handlers}) => handlers),
	];
};

export const handlersOf = (scope: Scope, at: Omit<KeyContext, 'rect'>): Values | undefined => {
	const state = at.get();
	for (const table of tablesFor(state)) {
		const make = table?.[scope] as ((at: KeyContext) => Values) | undefined;
		if (make) return make({...at, rect: rectOf(state, at)});
	}
	return undefined;
};

/** Those of a pane, whether it has the keys or not. */
export const handlersIn = (pane: Pane, scope: Scope, at: KeyContext): Values | undefined =>
	(screenSpec(pane).handlers?.[scope] as ((at: KeyContext) => Values) | undefined)?.(at);
