import type {LineField} from '../../../storage/drafts.ts';
import type {Dialog, Pane, PaneFocus, Screen} from '../program.ts';
import {allPanes, allScreens, dialogSpec, isPane} from '../features.ts';
import {part, type App} from '../app.ts';

/**
 * Typed text by dialog field and server; `''` for no server. An empty text was used or discarded.
 */
export type Lines = Readonly<Partial<Record<LineField, ReadonlyMap<string, string>>>>;

/** The field of a dialog whose text is stored, and its server. */
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
	readonly docked: Readonly<Record<Pane, boolean>>;
	/** Pane beside the last one if there is room for two. */
	readonly partner: Pane;
	/** True if only the focused pane is shown. */
	readonly zoomed: boolean;
	/**
	 * Widths of panes whose dividers were moved, in cells; in a terminal of another width, their
	 * shares of it.
	 */
	readonly paneWidths: Readonly<Partial<Record<Pane, number>>>;
	/** Open dialogs; the last one is topmost and has focus. */
	readonly dialogs: readonly Dialog[];
	/** Texts of the fields of dialogs, including dialogs that an earlier program had open. */
	readonly lines: Lines;
	/** Lines run on the command line, oldest first, each once. */
	readonly lineHistory: readonly string[];
	/**
	 * Number of dialogs opened so far: a dialog that was closed and opened again within a frame is
	 * another.
	 */
	readonly dialogCount: number;
	/** True if the details of a server are hidden although there is room. */
	readonly isDetailHidden: boolean;
	/** First key of a chord that waits for its second. */
	readonly chord: string | null;
	/** True after Ctrl-C was pressed once with nothing to cancel. */
	readonly quitting: boolean;
};

export type Route = {
	go(screen: Screen): void;
	/**
	 * Makes a server the current one; with a screen, both at once, because on the list the cursor
	 * decides.
	 */
	chooseServer(name: string | null, screen?: Screen): void;
	focusPart<P extends Pane>(pane: P, part: PaneFocus[P]): void;
	toggleDock(pane: Pane): void;
	toggleZoom(): void;
	sharePanes(widths: RouteState['paneWidths']): void;
	toggleDetail(): void;
	openDialog(dialog: Dialog): void;
	/** Replaces the topmost dialog, if it holds its own typed text. */
	changeDialog(dialog: Dialog): void;
	/** Closes the topmost dialog and drops the text of its field. */
	closeDialog(): void;
	keepLine(field: LineField, server: string, line: string): void;
	rememberLine(line: string): void;
	setChord(chord: string | null): void;
	setQuitting(quitting: boolean): void;
};

const KEPT_LINES = 50;

/** @throws {RangeError} if no feature has any. */
const firstOf = <T>([first]: readonly T[]): T => {
	if (first === undefined) throw new RangeError('the program has no screens');
	return first;
};
export const firstScreen = (): Screen => firstOf(allScreens()).id;
const firstPane = (): Pane => firstOf(allPanes());

const onScreen = (
	{screen: previousScreen, docked, partner}: RouteState,
	screen: Screen,
): Partial<RouteState> => ({
	screen,
	previousScreen,
	...(isPane(screen) && {docked: {...docked, [screen]: true}}),
	partner: isPane(screen) && screen !== allPanes().at(-1) ? screen : partner,
});

const firstRoute = (): RouteState => ({
	screen: firstScreen(),
	previousScreen: firstScreen(),
	current: null,
	paneFocus: Object.fromEntries(
		allScreens().flatMap(({id, pane}) => (pane ? [[id, pane.part]] : [])),
	) as PaneFocus,
	docked: Object.fromEntries(allPanes().map(pane => [pane, true])) as Record<Pane, boolean>,
	partner: firstPane(),
	zoomed: false,
	dialogs: [],
	lines: {},
	lineHistory: [],
	dialogCount: 0,
	paneWidths: {},
	isDetailHidden: false,
	chord: null,
	quitting: false,
});

export const route = part(
	'route',
	({get, set}: App): Route => ({
		go(screen) {
			if (screen !== get().screen) set(onScreen(get(), screen));
		},
		chooseServer: (current, screen) =>
			set({current, ...(screen !== undefined && screen !== get().screen && onScreen(get(), screen))}),
		focusPart: (pane, part) => set({paneFocus: {...get().paneFocus, [pane]: part}}),
		toggleDock: pane => set({docked: {...get().docked, [pane]: !get().docked[pane]}}),
		sharePanes: paneWidths => set({paneWidths: {...get().paneWidths, ...paneWidths}}),
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
		setChord: chord => set({chord}),
		setQuitting: quitting => set({quitting}),
	}),
	firstRoute,
);
