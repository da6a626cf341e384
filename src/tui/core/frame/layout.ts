import type {Pane, Rect, State} from '../program.ts';
import {allPanes, isPane, screenSpec} from '../features.ts';
import {lastResult} from '../store/last-result.ts';
import type {RouteState} from '../store/route.ts';

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

type PaneRoute = Pick<RouteState, 'screen' | 'docked' | 'partner'> &
	Partial<Pick<RouteState, 'zoomed' | 'paneWidths'>> & {
		/** Cells that a pane wants where three share the screen. */
		readonly wanted?: Readonly<Partial<Record<Pane, number>>>;
	};

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

/** Cells that panes have, as long as nobody has moved the lines between them: their shares of a terminal of 200 columns. */
const USUAL = 66;
const NARROW = 40;
/** Fewer are no pane: what is moved or kept stops there, as far as the terminal is wide enough. */
export const LEAST_PANE = 30;

const wantedOf = lastResult((narrow: string): NonNullable<PaneRoute['wanted']> =>
	Object.fromEntries(narrow.split(' ').map(pane => [pane, NARROW])),
);
/** The panes that need less than a third of the screen for what is in them now. */
const narrowNow = (state: State): string =>
	allPanes()
		.filter(pane => screenSpec(pane).isNarrow?.(state, state.current ?? ''))
		.join(' ');

/** What the panes want of the width; the same object as long as it is the same. */
export const wantedNow = (state: State): NonNullable<PaneRoute['wanted']> => wantedOf(narrowNow(state));

/** Shares of a width, whole cells each, none below the least where there is room for that. */
export const sharesOf = (width: number, wanted: readonly number[]): readonly number[] => {
	const least = Math.min(LEAST_PANE, Math.floor(width / wanted.length));
	const sum = wanted.reduce((total, each) => total + each, 0);
	const shares = wanted.map(each => Math.max(least, Math.floor((width * each) / sum)));
	for (
		let left = width - shares.reduce((total, each) => total + each, 0);
		left !== 0;
		left -= Math.sign(left)
	) {
		const to =
			left > 0
				? shares.reduce(
						(best, each, at) =>
							each / (wanted[at] ?? 1) < (shares[best] ?? 0) / (wanted[best] ?? 1) ? at : best,
						0,
					)
				: shares.indexOf(Math.max(...shares));
		shares[to] = (shares[to] ?? 0) + Math.sign(left);
	}
	return shares;
};

/** Where each visible pane stands; a divider of one column lies between two. */
export const paneRects = (place: PaneRoute, columns: number, rows: number): readonly PaneRect[] => {
	const panes = visiblePanes(place, columns);
	const body = bodyOf(columns, rows);
	const widths = sharesOf(
		columns - (panes.length - 1),
		panes.map(
			pane => place.paneWidths?.[pane] ?? (panes.length > 2 ? place.wanted?.[pane] : undefined) ?? USUAL,
		),
	);
	let x = 0;
	return panes.map((pane, index) => {
		const width = widths[index] ?? 0;
		const rect = {pane, x, y: body.y, width, height: body.height};
		x += width + 1;
		return rect;
	});
};

/** The cells of the visible panes when the one with the keys gets `by` more from its neighbour, right or else left; null where that is too narrow. */
export const movedWidths = (
	place: PaneRoute,
	columns: number,
	by: number,
): Readonly<Partial<Record<Pane, number>>> | null => {
	const rects = paneRects(place, columns, SMALLEST.rows);
	const at = rects.findIndex(({pane}) => pane === place.screen);
	const neighbour = at === rects.length - 1 ? at - 1 : at + 1;
	const widths = rects.map(({width}, index) => width + (index === at ? by : index === neighbour ? -by : 0));
	return rects.length < 2 || widths.some(width => width < LEAST_PANE)
		? null
		: Object.fromEntries(rects.map(({pane}, index) => [pane, widths[index]]));
};
