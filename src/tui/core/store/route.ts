import type {LineField} from '../../../storage/drafts.ts';
import type {Dialog, Pane, PaneFocus, Screen, State} from '../program.ts';
import {allPanes, allScreens, dialogSpec, isPane, screenSpec} from '../features.ts';
import {part, type App} from '../app.ts';
import type {Dividers, WidthClass} from '../frame/workspace-layout.ts';
import type {Deps} from './deps.ts';

/**
 * Typed text by field of a dialog and by server; `''` means no server. An empty text was used or
 * discarded.
 */
export type Lines = Readonly<Partial<Record<LineField, ReadonlyMap<string, string>>>>;

/**
 * The field of a dialog whose text is retained, and its server; null if the dialog has no such
 * field.
 */
export const lineOf = (dialog: Dialog): {readonly field: LineField; readonly server: string} | null =>
	dialogSpec(dialog).line?.(dialog) ?? null;

/** The topmost dialog, if it is of this kind. */
export const topDialog = <Kind extends Dialog['kind']>(
	{dialogs}: Pick<RouteState, 'dialogs'>,
	kind: Kind,
): Extract<Dialog, {readonly kind: Kind}> | undefined => {
	const dialog = dialogs.at(-1);
	return dialog?.kind === kind ? (dialog as Extract<Dialog, {readonly kind: Kind}>) : undefined;
};

export type RouteState = {
	readonly screen: Screen;
	readonly previousScreen: Screen;
	/** The server whose workspace the panes show. */
	readonly current: string | null;
	readonly paneFocus: PaneFocus;
	/** The main pane, which need not have focus: the focused pane is `screen`. */
	readonly main: Pane;
	/** The companion, a pane beside the main one, that had focus last. */
	readonly lastCompanion: Pane;
	/**
	 * Pane to which Esc returns after the user was taken to a question about its content. Null
	 * after any other change of focus.
	 */
	readonly returnTo: Pane | null;
	/**
	 * Companions, which are panes beside the main one, that the user has opened or closed. All
	 * others are shown if they have content and there is room.
	 */
	readonly companions: Readonly<Partial<Record<Pane, 'open' | 'closed'>>>;
	/** True if only the focused pane is shown. */
	readonly zoomed: boolean;
	/** True with a screen reader, which reads one pane at a time. */
	readonly isSpoken: boolean;
	/** Positions of moved dividers, by width class of the terminal. */
	readonly dividers: Readonly<Partial<Record<WidthClass, Dividers>>>;
	/** Divider that the user drags with the mouse. */
	readonly dragged: keyof Dividers | null;
	/** True if the tree is visible only while it has focus. */
	readonly isTreeHidden: boolean;
	/** Open dialogs; the last one is topmost and has focus. */
	readonly dialogs: readonly Dialog[];
	/** Texts typed into fields of dialogs, also in earlier runs. */
	readonly lines: Lines;
	/** Lines that were run on the command line, oldest first, without repetitions. */
	readonly lineHistory: readonly string[];
	/**
	 * Number of dialogs opened so far. It distinguishes a dialog from the same dialog reopened
	 * within a frame.
	 */
	readonly dialogCount: number;
	/** True if the user has hidden the details of a server. */
	readonly isDetailHidden: boolean;
	/** Keys of an incomplete chord; null if there is none. */
	readonly chord: string | null;
	/** True if the strip lists the keys that may follow the leader. */
	readonly isLeaderShown: boolean;
	/** True after a first Ctrl-C that had nothing to cancel; a second one quits. */
	readonly quitting: boolean;
};

export type Route = {
	go(screen: Screen): void;
	/**
	 * Makes a server the current one, and opens a screen if one is given. Both happen in one
	 * change, because on the list of servers the cursor would follow the current server.
	 */
	chooseServer(name: string | null, screen?: Screen): void;
	focusPart<P extends Pane>(pane: P, part: PaneFocus[P]): void;
	/**
	 * Moves the focus to a pane if it is visible. On another screen, makes the pane the main one.
	 */
	focus(pane: Pane): void;
	/** Moves the focus to a part of a pane temporarily: Esc returns to the previous pane. */
	focusForNow<P extends Pane>(pane: P, part: PaneFocus[P]): void;
	/** Closes a companion, so that only its name in the dock remains, or opens it again. */
	setCompanion(pane: Pane, is: 'open' | 'closed'): void;
	toggleTree(): void;
	toggleZoom(): void;
	/** Starts to drag a divider, or stops dragging. */
	drag(divider: keyof Dividers | null): void;
	setDividers(kind: WidthClass, dividers: Dividers | undefined): void;
	toggleDetail(): void;
	openDialog(dialog: Dialog): void;
	/** Replaces the value of the topmost dialog, for a dialog that contains its own typed text. */
	changeDialog(dialog: Dialog): void;
	/** Closes the topmost dialog and drops the text of its field. */
	closeDialog(): void;
	keepLine(field: LineField, server: string, line: string): void;
	rememberLine(line: string): void;
	setChord(chord: string | null): void;
	/** Lists the keys that can follow the leader. */
	showLeader(): void;
	setQuitting(quitting: boolean): void;
};

const KEPT_LINES = 50;

/** @throws {RangeError} if no feature has a screen. */
const firstOf = <T>([first]: readonly T[]): T => {
	if (first === undefined) throw new RangeError('the program has no screens');
	return first;
};
export const firstScreen = (): Screen => firstOf(allScreens()).id;
const firstPane = (): Pane => firstOf(allPanes());

const without = (
	companions: RouteState['companions'],
	...panes: readonly Screen[]
): RouteState['companions'] =>
	Object.fromEntries(Object.entries(companions).filter(([pane]) => !panes.includes(pane as Pane)));

/** Companions after a change of focus. A companion without content is then no longer open. */
const leftBehind = (state: State): RouteState['companions'] => {
	const {screen, main, current, companions} = state;
	return isPane(screen) &&
		screen !== main &&
		companions[screen] === 'open' &&
		screenSpec(screen).hasContent?.(state, current ?? '') === false
		? without(companions, screen)
		: companions;
};

/**
 * Makes a pane the main one. The previous main pane becomes a companion, which stays open while
 * work runs in it.
 */
const onScreen = (state: State, screen: Screen): Partial<RouteState> => {
	const {screen: previousScreen, main, lastCompanion, current} = state;
	const companions = leftBehind(state);
	if (!isPane(screen) || screen === main) return {screen, previousScreen, companions, returnTo: null};
	const isBusy = screenSpec(main).isBusy?.(state, current ?? '') === true;
	return {
		...{screen, previousScreen, main: screen, returnTo: null},
		companions: {...without(companions, main, screen), ...(isBusy && {[main]: 'open'})},
		lastCompanion: isBusy || lastCompanion === screen ? main : lastCompanion,
	};
};

/** Focuses a pane. A companion counts as opened from then on. */
const focused = (state: State, pane: Pane): Partial<RouteState> => {
	const companions = leftBehind(state);
	const isMain = pane === state.main;
	return {
		screen: pane,
		returnTo: null,
		...(!isMain && {lastCompanion: pane}),
		companions: isMain || companions[pane] !== undefined ? companions : {...companions, [pane]: 'open'},
	};
};

const firstRoute = ({isSpoken = false}: Deps): RouteState => ({
	screen: firstScreen(),
	previousScreen: firstScreen(),
	current: null,
	paneFocus: Object.fromEntries(
		allScreens().flatMap(({id, pane}) => (pane ? [[id, pane.part]] : [])),
	) as PaneFocus,
	main: firstPane(),
	lastCompanion: firstOf(allPanes().toReversed()),
	returnTo: null,
	companions: {},
	zoomed: false,
	isSpoken,
	dividers: {},
	dragged: null,
	isTreeHidden: false,
	dialogs: [],
	lines: {},
	lineHistory: [],
	dialogCount: 0,
	isDetailHidden: false,
	chord: null,
	isLeaderShown: false,
	quitting: false,
});

export const route = part(
	'route',
	({get, set}: App): Route => ({
		go(screen) {
			if (screen !== get().screen || (isPane(screen) && screen !== get().main)) set(onScreen(get(), screen));
		},
		chooseServer: (current, screen) => set({current, ...(screen !== undefined && onScreen(get(), screen))}),
		focusPart: (pane, part) => set({paneFocus: {...get().paneFocus, [pane]: part}}),
		focus(pane) {
			if (!isPane(get().screen)) route(get).go(pane);
			else if (pane !== get().screen) set(focused(get(), pane));
		},
		focusForNow(pane, part) {
			const {screen, returnTo} = get();
			route(get).focusPart(pane, part);
			route(get).focus(pane);
			if (isPane(screen)) set({returnTo: screen === pane ? returnTo : screen});
		},
		setCompanion: (pane, is) => set({companions: {...get().companions, [pane]: is}}),
		toggleTree: () => set({isTreeHidden: !get().isTreeHidden}),
		setDividers: (kind, dividers) => set({dividers: {...get().dividers, [kind]: dividers}}),
		drag: dragged => set({dragged}),
		toggleZoom: () => set({zoomed: !get().zoomed}),
		toggleDetail: () => set({isDetailHidden: !get().isDetailHidden}),
		openDialog: dialog => set({dialogs: [...get().dialogs, dialog], dialogCount: get().dialogCount + 1}),
		changeDialog: dialog => set({dialogs: [...get().dialogs.slice(0, -1), dialog]}),
		closeDialog() {
			const dialog = get().dialogs.at(-1);
			const line = dialog && lineOf(dialog);
			if (line) route(get).keepLine(line.field, line.server, '');
			set({dialogs: get().dialogs.slice(0, -1)});
		},
		keepLine(field, server, line) {
			const {lines} = get();
			if ((lines[field]?.get(server) ?? '') !== line)
				set({lines: {...lines, [field]: new Map(lines[field]).set(server, line)}});
		},
		rememberLine: line =>
			set({lineHistory: [...get().lineHistory.filter(each => each !== line), line].slice(-KEPT_LINES)}),
		setChord: chord => set({chord, isLeaderShown: chord !== null && get().isLeaderShown}),
		showLeader: () => set({isLeaderShown: true}),
		setQuitting: quitting => set({quitting}),
	}),
	firstRoute,
);
