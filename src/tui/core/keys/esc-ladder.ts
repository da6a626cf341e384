// The steps of Esc below dialogs, running work and fields: marks, filter, zoom, screen.
import {createEditor} from '../../../text/editor/editor.ts';
import {isPane, screenSpec} from '../features.ts';
import type {Screen, State} from '../program.ts';
import {filterList, listViews} from '../store/lists.ts';
import {firstScreen, route} from '../store/route.ts';
import {keyFor} from './live-keys.ts';
import {keyPath} from './scopes.ts';

type Step = {
	/** Label of Esc. */
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

/** The next step of Esc on the screen; null on the first screen with nothing to set aside. */
export const nextStep = (get: () => State): Step | null => {
	const state = get();
	const {screen, lists, zoomed} = state;
	const clearMarks = screenSpec(screen).marked?.(state);
	if (clearMarks) return {label: 'clear the marks', take: clearMarks};
	if (lists[screen].filter.text !== '') return {label: 'clear the filter', take: () => setAside(get, screen)};
	if (zoomed && isPane(screen)) return {label: 'end the zoom', take: () => route(get).toggleZoom()};
	if (screen === firstScreen()) return null;
	return {
		label: `back to the ${screenSpec(firstScreen()).title.toLowerCase()}`,
		take: () => route(get).go(firstScreen()),
	};
};
