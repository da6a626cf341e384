import type {Pane, Rect, State} from '../program.ts';
import {allPanes, isPane, screenSpec} from '../features.ts';
import {lastResult} from '../store/last-result.ts';
import type {RouteState} from '../store/route.ts';

export type {Rect};
export type PaneRect = Rect & {readonly pane: Pane};

/** Smallest usable terminal; below it the program only states the required size. */
export const SMALLEST = {columns: 60, rows: 15} as const;
/** Least terminal width for panes side by side, in columns. */
export const TWO_PANES = 100;
/** Least terminal width in which the first of two panes is as wide as code needs. */
const WIDE_CODE = 132;
const THREE_PANES = 200;

/** The body, between header and rule above, and rule, notice and footer below. */
export const bodyOf = (columns: number, rows: number): Rect => ({
	x: 0,
	y: 2,
	width: columns,
	height: rows - 4,
});

type PaneRoute = Pick<RouteState, 'screen' | 'docked' | 'partner'> &
	Partial<Pick<RouteState, 'zoomed' | 'paneWidths'>> & {
		/** Width that a pane wants if three share the screen, in cells. */
		readonly wanted?: Readonly<Partial<Record<Pane, number>>>;
	};

/**
 * Visible panes from left to right: always the focused one, and docked others as far as there is
 * room.
 */
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

const NARROW = 40;
/**
 * Narrowest pane in cells: moved and stored dividers stop there, if the terminal is wide enough.
 */
export const LEAST_PANE = 30;

const wantedOf = lastResult((narrow: string): NonNullable<PaneRoute['wanted']> =>
	Object.fromEntries(narrow.split(' ').map(pane => [pane, NARROW])),
);
/** Panes whose current content needs less than a third of the screen. */
const narrowNow = (state: State): string =>
	allPanes()
		.filter(pane => screenSpec(pane).isNarrow?.(state, state.current ?? ''))
		.join(' ');

/** Widest first pane: longer lines of code are rare. */
const WIDEST_MAIN = 110;

/**
 * Widths of panes until the user moves the dividers. The first pane gets the room of a line of
 * code; below 132 columns there is none for it beside another pane, and both are alike. Panes that
 * want less share the rest among the others.
 */
const usualWidths = (
	columns: number,
	panes: readonly Pane[],
	wanted: PaneRoute['wanted'] = {},
): readonly number[] => {
	const room = columns - (panes.length - 1);
	const [first] = panes;
	const [least, part, from] = columns < THREE_PANES ? [88, 2, WIDE_CODE] : [92, 4, THREE_PANES];
	const main = Math.min(WIDEST_MAIN, least + Math.floor((columns - from) / part));
	const fixed: NonNullable<PaneRoute['wanted']> = {
		...(first !== undefined && panes.length > 1 && columns >= WIDE_CODE && {[first]: main}),
		...(panes.length > 2 && wanted),
	};
	const sum = panes.reduce((total, pane) => total + (fixed[pane] ?? 0), 0);
	const others = panes.filter(pane => fixed[pane] === undefined).length;
	return panes.map(pane => fixed[pane] ?? (room - sum) / others);
};

/** Widths that the panes want; the same object while unchanged. */
export const wantedNow = (state: State): NonNullable<PaneRoute['wanted']> => wantedOf(narrowNow(state));

/** Shares of a width in whole cells, none below the minimum if there is room for that. */
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

/** Position of each visible pane; a divider of one column separates two. */
export const paneRects = (place: PaneRoute, columns: number, rows: number): readonly PaneRect[] => {
	const panes = visiblePanes(place, columns);
	const body = bodyOf(columns, rows);
	const usual = usualWidths(columns, panes, place.wanted);
	const widths = sharesOf(
		columns - (panes.length - 1),
		panes.map((pane, index) => place.paneWidths?.[pane] ?? usual[index] ?? NARROW),
	);
	let x = 0;
	return panes.map((pane, index) => {
		const width = widths[index] ?? 0;
		const rect = {pane, x, y: body.y, width, height: body.height};
		x += width + 1;
		return rect;
	});
};

/**
 * Widths of the visible panes if the focused one gets `by` more cells from its right, else left,
 * neighbour; null if that is too narrow.
 */
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
