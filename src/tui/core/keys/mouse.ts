// Mouse events. A click and the wheel act like keys at the mouse position; dividers can be dragged.
import type {MouseEvent} from '../../../text/mouse.ts';
import {rowsFromCursor} from '../frame/drawn-rows.ts';
import {dividerAt, dragDivider} from './dividers.ts';
import {tabAt} from '../frame/header.ts';
import {dockedAt} from '../frame/dock-line.ts';
import {bodyOf, layoutNow} from '../frame/layout.ts';
import type {Pane, Rect, Scope, State} from '../program.ts';
import type {KeyContext} from '../feature.ts';
import {allScreens, isClosed, isPane, screenSpec} from '../features.ts';
import {keymap, scopesOfAll} from './keymap.ts';
import {contextOf, type Size} from './key-context.ts';
import {keyPath} from './scopes.ts';
import {route} from '../store/route.ts';

/** Number of rows that one notch of the wheel scrolls. */
const NOTCH = 3;

type Context = Omit<KeyContext, 'rect'> & {
	/** Draws the changes made so far. */
	readonly draw: () => void;
};
/** An area of the screen, and the scope whose keys scroll it. */
type Place = {
	readonly rect: Rect;
	readonly pane: Pane | null;
	readonly part: string | undefined;
	readonly scope: Scope;
};

const isIn = ({x, y, width, height}: Rect, at: MouseEvent): boolean =>
	at.x >= x && at.x < x + width && at.y >= y && at.y < y + height;

const moves = (scope: Scope): boolean =>
	!keymap[scope].isText && keymap[scope].rows.some(({action}) => action === 'up');

const placeAt = (state: State, size: Size, event: MouseEvent): Place | undefined => {
	const {screen} = state;
	if (!isPane(screen)) {
		const [scope] = keyPath(state).scopes;
		const rect = bodyOf(size.columns, size.rows);
		return scope !== undefined && isIn(rect, event) ? {rect, pane: null, part: undefined, scope} : undefined;
	}
	const rect = layoutNow(state, size.columns, size.rows).panes.find(each => isIn(each, event));
	if (rect === undefined) return undefined;
	const part =
		screenSpec(rect.pane).partAt?.(state, state.current ?? '', rect, event) ?? state.paneFocus[rect.pane];
	const own = scopesOfAll().filter(scope => keymap[scope].screen === rect.pane && moves(scope));
	// A part of a pane may show different contents, each with its own keys.
	const active = screenSpec(rect.pane).scopes?.({
		...state,
		paneFocus: {...state.paneFocus, [rect.pane]: part},
	});
	const ofPart = own.filter(each => keymap[each].part === part);
	const scope = ofPart.find(each => active?.includes(each)) ?? ofPart[0] ?? own[0];
	return scope && {rect, pane: rect.pane, part, scope};
};

const press = (at: KeyContext, scope: Scope, name: 'up' | 'down', times: number): void => {
	const row = keymap[scope].rows.find(({action}) => action === name);
	for (let time = 0; time < times; time++) row?.run?.(at);
};

const wheel = (context: Context, event: MouseEvent): void => {
	const state = context.get();
	const action = event.did === 'wheelUp' ? 'up' : 'down';
	// The page of an offline server shows saved content below the server's state, with its own
	// keys.
	if (state.dialogs.length > 0 || (isPane(state.screen) && isClosed(state))) {
		const [scope] = keyPath(state).scopes;
		if (scope) press(contextOf(context), scope, action, NOTCH);
		return;
	}
	const place = placeAt(state, context, event);
	if (place) press({...context, rect: place.rect}, place.scope, action, NOTCH);
};

const click = (context: Context, event: MouseEvent): void => {
	const state = context.get();
	// Only keys close a dialog: a click beside it must not lose typed text.
	if (state.dialogs.length > 0) return;
	if (event.y === 0) {
		const tab = tabAt(state, context.columns, event.x);
		if (tab !== undefined && allScreens().some(({id}) => id === tab)) route(context.get).go(tab);
		return;
	}
	const divider = dividerAt(state, context, event);
	if (divider !== undefined) return route(context.get).drag(divider);
	const {dock} = layoutNow(state, context.columns, context.rows);
	if (isPane(state.screen) && !isClosed(state) && dock !== null && isIn(dock, event)) {
		const docked = dockedAt(state, dock, event.x);
		if (docked !== undefined) route(context.get).focus(docked);
		return;
	}
	const place = placeAt(state, context, event);
	if (place === undefined) return;
	const {pane, part} = place;
	if (pane !== null) {
		if (pane !== state.screen) route(context.get).focus(pane);
		if (part !== undefined && part !== state.paneFocus[pane])
			route(context.get).focusPart(pane, part as never);
		if (isClosed(context.get())) return;
		context.draw();
	}
	const rows = rowsFromCursor(event.x, event.y);
	if (rows !== null)
		press({...context, rect: place.rect}, place.scope, rows < 0 ? 'up' : 'down', Math.abs(rows));
};

/** Handles a click, a drag or a notch of the wheel. */
export const takeMouse = (context: Context, event: MouseEvent): void => {
	if (event.did === 'drag') return dragDivider(context.get, context, event.x);
	if (context.get().dragged !== null) route(context.get).drag(null);
	if (event.did === 'release') return;
	(event.did === 'click' ? click : wheel)(context, event);
};
