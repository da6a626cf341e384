import type {Pane, Rect} from '../program.ts';
import {allPanes, isPane} from '../rooms.ts';
import type {RouteSlice} from '../store/route.ts';

export type {Rect};
export type PaneRect = Rect & {readonly pane: Pane};

/** Below this the program only says how large the terminal must be. */
export const SMALLEST = {columns: 60, rows: 15} as const;
/** From so many columns on, panes stand side by side. */
export const TWO_PANES = 100;
const THREE_PANES = 140;

/** Header and its rule above; rule, notice and footer below. */
export const bodyOf = (columns: number, rows: number): Rect => ({
	x: 0,
	y: 2,
	width: columns,
	height: rows - 4,
});

type PaneRoute = Pick<RouteSlice, 'screen' | 'docked' | 'partner'> & Partial<Pick<RouteSlice, 'zoomed'>>;

/** The panes on screen, left to right: the one with the keys always, the docked others as far as there is room. */
export const visiblePanes = (
	{screen, docked, partner, zoomed}: PaneRoute,
	columns: number,
): readonly Pane[] => {
	if (!isPane(screen)) return [];
	if (zoomed) return [screen];
	const room = columns >= THREE_PANES ? 3 : columns >= TWO_PANES ? 2 : 1;
	const all = allPanes();
	const last = all.at(-1) ?? screen;
	const wanted = room === 3 ? all : room === 2 ? [partner, last] : [];
	const shown = wanted.filter(pane => docked[pane] || pane === screen);
	if (room === 2 && shown.length === 1 && screen === last) {
		const other = all.find(pane => pane !== partner && pane !== last && docked[pane]);
		if (other !== undefined) return [other, last];
	}
	return shown.includes(screen) ? shown : [screen];
};

/** Where each visible pane stands; a divider of one column lies between two. */
export const paneRects = (place: PaneRoute, columns: number, rows: number): readonly PaneRect[] => {
	const panes = visiblePanes(place, columns);
	const body = bodyOf(columns, rows);
	const inner = columns - (panes.length - 1);
	let x = 0;
	return panes.map((pane, index) => {
		const width = Math.floor(inner / panes.length) + (index < inner % panes.length ? 1 : 0);
		const rect = {pane, x, y: body.y, width, height: body.height};
		x += width + 1;
		return rect;
	});
};
