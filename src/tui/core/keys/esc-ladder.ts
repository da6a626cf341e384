// Effects of Esc when no dialog, running work or text field uses the key. It clears marks, clears a
// filter, ends a zoom, or returns to another pane or screen, in this order.
import {createEditor} from '../../../text/editor/editor.ts';
import {isPane, screenSpec} from '../features.ts';
import {isPaneAlone} from '../frame/layout.ts';
import type {Screen, State} from '../program.ts';
import {filterList, listViews} from '../store/lists.ts';
import {firstScreen, route} from '../store/route.ts';
import {keyFor} from './live-keys.ts';
import {keyPath} from './scopes.ts';

type Step = {
	/** Label of Esc in the footer. */
	readonly label: string;
	readonly take: () => string | void;
};

const setAside = (get: () => State, list: Screen): string => {
	const {text} = get().lists[list].filter;
	filterList(get, list, createEditor());
	listViews(get).changeList(list, {aside: text});
	const [scope] = keyPath({...get(), dialogs: []}).scopes;
	return `The filter is set aside: ${keyFor(`${scope ?? list}.filter`)} and ${keyFor('filter.up')} bring it back`;
};

/** True if a pane beside or below the main one has focus. */
const isCompanion = (state: State): boolean =>
	isPane(state.screen) && state.screen !== state.main && !isPaneAlone(state);

/** Name of the screen or pane to return to, for the label of a key. */
export const backTo = (screen: Screen): string => {
	const {pane, title} = screenSpec(screen);
	return pane?.name ?? title.toLowerCase();
};

/** The next effect of Esc. Null on the first screen if there are no marks and no filter. */
export const nextStep = (get: () => State): Step | null => {
	const state = get();
	const {screen, lists, zoomed, returnTo} = state;
	const clearMarks = screenSpec(screen).marked?.(state);
	if (clearMarks) return {label: 'clear the marks', take: clearMarks};
	if (returnTo !== null) return {label: backTo(returnTo), take: () => route(get).focus(returnTo)};
	if (lists[screen].filter.text !== '') return {label: 'clear the filter', take: () => setAside(get, screen)};
	if (zoomed && isPane(screen)) return {label: 'end the zoom', take: () => route(get).toggleZoom()};
	if (isCompanion(state)) return {label: backTo(state.main), take: () => route(get).focus(state.main)};
	if (screen === firstScreen()) return null;
	return {label: backTo(firstScreen()), take: () => route(get).go(firstScreen())};
};
