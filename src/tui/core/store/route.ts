import type {LineField} from '../../../storage/drafts.ts';
import type {Dialog, Pane, PaneFocus, Screen} from '../program.ts';
import {allPanes, allScreens, dialogSpec, isPane} from '../features.ts';
import {part, type App} from '../app.ts';

/** Lines by field and server; `''` stands for none. An empty line was used or given up. */
export type Lines = Readonly<Partial<Record<LineField, ReadonlyMap<string, string>>>>;

/** The field of a dialog whose line is kept, and its server. */
export const lineOf = (dialog: Dialog): {readonly field: LineField; readonly server: string} | null =>
	dialogSpec(dialog).line?.(dialog) ?? null;

/** The topmost dialog, when it is of this kind. */
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
	/** The pane that stands beside the last one when there is room for two. */
	readonly partner: Pane;
	/** Only the pane with the keys is shown. */
	readonly zoomed: boolean;
	/** Cells of the panes whose dividers were moved; in a terminal of another width, their shares of it. */
	readonly paneWidths: Readonly<Partial<Record<Pane, number>>>;
	/** The topmost dialog is the last; it owns the keys. */
	readonly dialogs: readonly Dialog[];
	/** What stands in the fields of dialogs, also of those that a program which ended before had open. */
	readonly lines: Lines;
	/** Lines that were run on the command line, oldest first, each once. */
	readonly lineHistory: readonly string[];
	/** Counts the dialogs opened so far: one that was closed and opened again within a frame is another. */
	readonly dialogCount: number;
	/** The fields of a server do not stand beside the list, although there is room. */
	readonly isDetailHidden: boolean;
	/** First key of a chord that waits for its second. */
	readonly chord: string | null;
	/** Ctrl-C was pressed once with nothing to cancel. */
	readonly quitting: boolean;
};

export type Route = {
	go(screen: Screen): void;
	/** The server that all is meant for from now on; with a screen, both at once, since on the list the cursor decides. */
	chooseServer(name: string | null, screen?: Screen): void;
	focusPart<P extends Pane>(pane: P, part: PaneFocus[P]): void;
	toggleDock(pane: Pane): void;
	toggleZoom(): void;
	sharePanes(widths: RouteState['paneWidths']): void;
	toggleDetail(): void;
	openDialog(dialog: Dialog): void;
	/** Replaces the topmost dialog, for one that holds what is typed into it. */
	changeDialog(dialog: Dialog): void;
	/** What stands in its field is forgotten. */
	closeDialog(): void;
	keepLine(field: LineField, server: string, line: string): void;
	rememberLine(line: string): void;
	setChord(chord: string | null): void;
	setQuitting(quitting: boolean): void;
};

const KEPT_LINES = 50;

/** @throws {RangeError} where no room has any */
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
