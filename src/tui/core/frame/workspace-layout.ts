// The panes of a server on the screen: the main pane gets most of the room, and its width does not
// depend on which pane has focus. Pure: columns and rows in, rectangles out.
import {clamp} from '../components/scroll.ts';
import type {Pane, Rect} from '../program.ts';

/** Rows above the body: the header. The first row of the body is the rule with the titles. */
export const BODY_TOP = 1;
/** Rows of header, notice and footer. */
export const FRAME_ROWS = 3;
/** Width of a line of code in cells. Moved dividers leave the main pane this wide if possible. */
export const CODE = 88;
/** Narrowest pane beside another, and narrowest tree, in cells. */
export const LEAST_PANE = 30;
export const LEAST_RAIL = 14;
const WIDEST_RAIL = 40;
/** Fewest rows of a usable pane below the main pane: title, a line, rule and field. */
const LEAST_BELOW = 4;
/** Fewest rows of the main pane: title and three lines of code. */
const LEAST_MAIN = 4;

/** Kinds of terminals by their width. A divider that the user moved applies to one kind only. */
export type WidthClass = 'narrow' | 'rail' | 'side' | 'wide' | 'columns';

/** Least number of columns of each kind, widest first. Two companions of 50 cells need 231. */
const CLASSES: readonly (readonly [WidthClass, number])[] = [
	['columns', 231],
	['wide', 170],
	['side', 132],
	['rail', 112],
	['narrow', 0],
];

export const WIDTH_CLASSES: readonly WidthClass[] = CLASSES.map(([kind]) => kind);
export const classOf = (columns: number): WidthClass =>
	CLASSES.find(([, least]) => columns >= least)?.[0] ?? 'narrow';

/** Widths chosen by the user, in cells: of the tree, and of the main pane beside it. */
export type Dividers = {readonly rail?: number; readonly main?: number};

export type WorkspacePlace = {
	readonly main: Pane;
	/** The focused pane. */
	readonly focus: Pane;
	/** All panes except the main one, in the order of their screens. */
	readonly companions: readonly Pane[];
	/** The companion that had focus last. */
	readonly last: Pane;
	/** Companions in use, which are shown even if there is little room. */
	readonly inUse: ReadonlySet<Pane>;
	/** Companions with something to show. */
	readonly filled: ReadonlySet<Pane>;
	/** Companions that the user has closed: each is a name in the dock until it gets focus. */
	readonly closed: ReadonlySet<Pane>;
	/** True if the main pane has a tree beside its content, and the user has not hidden it. */
	readonly hasRail: boolean;
	/** True if only the focused pane is shown. */
	readonly isAlone: boolean;
	readonly dividers?: Dividers | undefined;
};

/** A pane on the screen. `rail`: cells for a tree at its left, without the divider; 0 for none. */
export type PaneRect = Rect & {readonly pane: Pane; readonly rail: number};

export type WorkspaceLayout = {
	/** The main pane first. */
	readonly panes: readonly PaneRect[];
	/** The row that names the companions with nothing to show. */
	readonly dock: (Rect & {readonly panes: readonly Pane[]}) | null;
};

type Widths = {readonly rail: number; readonly main: number; readonly side: number};

/** Widths before the user moves a divider; `side`: everything right of the main pane. */
const usualWidths = (columns: number): Widths => {
	const kind = classOf(columns);
	if (kind === 'narrow') return {rail: 0, main: columns, side: 0};
	if (kind === 'rail') return {rail: 20, main: columns - 21, side: 0};
	if (kind === 'side') {
		const main = CODE + Math.floor((columns - 132) / 2);
		return {rail: 0, main, side: columns - 1 - main};
	}
	const [rail, main] =
		kind === 'wide'
			? [
					Math.min(24, 22 + Math.floor((columns - 170) / 15)),
					Math.min(100, 92 + Math.floor(((columns - 170) * 4) / 15)),
				]
			: [28, Math.min(120, 100 + Math.floor((columns - 230) / 2))];
	return {rail, main, side: columns - rail - main - 2};
};

/** Fewest cells right of the main pane. */
const leastSide = (columns: number): number => {
	const kind = classOf(columns);
	return kind === 'columns' ? 2 * LEAST_PANE + 1 : kind === 'narrow' || kind === 'rail' ? 0 : LEAST_PANE;
};

/** Widths with the dividers that the user moved, limited so that a line of code still fits. */
export const widthsOf = (columns: number, {rail: ownRail, main: ownMain}: Dividers = {}): Widths => {
	const usual = usualWidths(columns);
	const least = leastSide(columns);
	const gaps = (usual.rail > 0 ? 1 : 0) + (usual.side > 0 ? 1 : 0);
	const rail =
		usual.rail === 0
			? 0
			: clamp(ownRail ?? usual.rail, LEAST_RAIL, Math.min(WIDEST_RAIL, columns - gaps - least - CODE));
	if (usual.side === 0) return {rail, main: columns - gaps - rail, side: 0};
	const main = clamp(
		ownMain ?? usual.main + usual.rail - rail,
		Math.min(CODE, columns - gaps - rail - least),
		columns - gaps - rail - least,
	);
	return {rail, main, side: columns - gaps - rail - main};
};

/** Rows of a pane below the main one. */
const rowsBelow = (height: number, hasKeys: boolean): number =>
	clamp(Math.round((height * (hasKeys ? 2 : 1)) / 3), LEAST_BELOW, height - 1 - LEAST_MAIN);

/** The `shown` companions, one above the other in a column, and the dock with the `idle` ones. */
const stacked = (
	{x, y, width, height}: Rect,
	shown: readonly Pane[],
	idle: readonly Pane[],
	focus: Pane,
): WorkspaceLayout => {
	const room = height - (idle.length > 0 ? 1 : 0);
	const [first, second] = shown;
	const at = shown.indexOf(focus);
	const upper =
		second === undefined ? room : Math.round(at < 0 ? room / 2 : at === 0 ? (room * 2) / 3 : room / 3);
	const panes = [
		...(first === undefined ? [] : [{pane: first, x, y, width, height: upper, rail: 0}]),
		...(second === undefined ? [] : [{pane: second, x, y: y + upper, width, height: room - upper, rail: 0}]),
	];
	return {panes, dock: idle.length === 0 ? null : {x, y: y + room, width, height: 1, panes: idle}};
};

/** Columns beside the main pane, one for each companion. */
const columnsOf = (side: Rect, companions: readonly Pane[]): readonly PaneRect[] => {
	const width = Math.floor((side.width - companions.length + 1) / companions.length);
	return companions.map((pane, index, {length}) => ({
		pane,
		...side,
		x: side.x + index * (width + 1),
		width: index === length - 1 ? side.width - index * (width + 1) : width,
		rail: 0,
	}));
};

/** The rectangles of all visible panes, with a one-column divider between neighbours. */
export const workspaceLayout = (columns: number, rows: number, place: WorkspacePlace): WorkspaceLayout => {
	const {main, focus, companions, last, inUse, filled, closed, hasRail, isAlone, dividers} = place;
	const body: Rect = {x: 0, y: BODY_TOP, width: columns, height: rows - FRAME_ROWS};
	if (isAlone) return {panes: [{pane: focus, ...body, rail: 0}], dock: null};
	const widths = widthsOf(columns, dividers);
	const rail = hasRail ? widths.rail : 0;
	const isBeside = widths.side > 0 && !companions.every(pane => closed.has(pane));
	const open = companions.filter(
		pane => !closed.has(pane) && (inUse.has(pane) || (isBeside && filled.has(pane))),
	);
	const latest = companions.find(pane => pane === focus) ?? open.find(pane => pane === last) ?? open.at(-1);
	if (!isBeside) {
		const idle = companions.filter(pane => pane !== latest);
		const below = latest === undefined ? 0 : rowsBelow(body.height, latest === focus);
		const height = body.height - below - (idle.length > 0 ? 1 : 0);
		const under = stacked(
			{...body, y: body.y + height, height: body.height - height},
			latest === undefined ? [] : [latest],
			idle,
			focus,
		);
		return {panes: [{pane: main, ...body, height, rail}, ...under.panes], dock: under.dock};
	}
	const side: Rect = {...body, x: columns - widths.side, width: widths.side};
	const first: PaneRect = {pane: main, ...body, width: columns - widths.side - 1, rail};
	const kind = classOf(columns);
	if (kind === 'columns' && closed.size === 0)
		return {panes: [first, ...columnsOf(side, companions)], dock: null};
	const left = companions.filter(pane => !closed.has(pane));
	const one = latest ?? left.find(pane => pane === last) ?? left.at(-1);
	const shown = companions.filter(pane => pane === one || (kind !== 'side' && open.includes(pane)));
	const beside = stacked(
		side,
		shown,
		companions.filter(pane => !shown.includes(pane)),
		focus,
	);
	return {panes: [first, ...beside.panes], dock: beside.dock};
};
