// The context of a key: the state, and the screen area that has focus.
import {bodyOf, dialogAreaOf, focusedRect} from '../frame/layout.ts';
import type {Rect, State} from '../program.ts';
import {isClosed, isPane} from '../features.ts';
import type {KeyContext} from '../feature.ts';

/** Terminal size in cells. */
export type Size = {readonly columns: number; readonly rows: number};

/** Area of the focused pane or screen. */
export const rectOf = (state: State, {columns, rows}: Size): Rect => {
	const dialog = state.dialogs.at(-1);
	if (dialog) return dialogAreaOf(dialog, columns, rows);
	const pane = isPane(state.screen) && !isClosed(state) ? focusedRect(state, columns, rows) : undefined;
	return pane ?? bodyOf(columns, rows);
};

/** The context of a key press now. */
export const contextOf = (at: Omit<KeyContext, 'rect'>): KeyContext => ({...at, rect: rectOf(at.get(), at)});

/** Context for looking up a key without pressing it. */
export const contextIn = (state: State, size: Size): KeyContext =>
	contextOf({get: () => state, ...size, act() {}, press() {}});
