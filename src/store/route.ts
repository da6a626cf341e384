import type {StateCreator} from 'zustand/vanilla';
import type {LineField} from '../settings/draft-files.ts';
import type {DiffLine} from '../text/diff-lines.ts';
import type {Writing} from './writing.ts';
import type {KeptEdit} from '../settings/edit-copies.ts';
import type {AddressName} from '../query/addresses.ts';
import type {FilePlace} from '../text/references.ts';
import type {ErrorPacket} from './error-packet.ts';
import type {ListedFacet} from '../query/choices.ts';
import type {CreateForm} from './create-form.ts';
import type {SignInForm} from './sign-in.ts';

export type Screen = 'servers' | 'compute' | 'environments' | 'files' | 'repl' | 'assistant';
export const SCREENS = ['servers', 'compute', 'environments', 'files', 'repl', 'assistant'] as const satisfies readonly Screen[];

/** The three panes of a server's workspace are screens too. */
export type Pane = 'files' | 'repl' | 'assistant';
export const isPane = (screen: Screen): screen is Pane => screen === 'files' || screen === 'repl' || screen === 'assistant';

/** Which part of each pane has the keys. */
export type PaneFocus = {readonly files: 'tree' | 'viewer'; readonly repl: 'repl' | 'cells' | 'cellFind'; readonly assistant: 'assistant' | 'turns'};

export type Dialog =
	| {readonly kind: 'create'; readonly form: CreateForm}
	/** Every field of a server. */
	| {readonly kind: 'server'; readonly server: string}
	| {readonly kind: 'addresses'; readonly server: string; readonly at: AddressName}
	/** What the service charges is not what was confirmed. Rates per hour. */
	| {readonly kind: 'price'; readonly server: string; readonly quoted: number; readonly charged: number}
	| {readonly kind: 'facet'; readonly facet: ListedFacet}
	| {readonly kind: 'compare' | 'changes'}
	| {readonly kind: 'palette' | 'help' | 'messages' | 'requests' | 'profiles'}
	| {readonly kind: 'sign-in'; readonly form: SignInForm}
	/** Code that was run on a server before. */
	| {readonly kind: 'history'; readonly server: string}
	/** Places in files that a cell or answers name. */
	| {readonly kind: 'places'; readonly server: string; readonly places: readonly FilePlace[]}
	/** Where and as what the session is written. */
	| {readonly kind: 'export'; readonly server: string}
	/** All that is sent to have an error explained. */
	| {readonly kind: 'explain'; readonly server: string; readonly packet: ErrorPacket}
	/** `again`: asks the last question again with the model that is chosen. */
	| {readonly kind: 'model'; readonly server: string; readonly again: boolean}
	/** Which models are asked the same. */
	| {readonly kind: 'compare-models'; readonly server: string}
	/** Where the code of a block is to be written. */
	| {readonly kind: 'write-path'; readonly server: string; readonly code: string}
	| {readonly kind: 'conversations'; readonly server: string}
	| {readonly kind: 'delete-conversation'; readonly server: string}
	| {readonly kind: 'find-turn'; readonly server: string; readonly text: string}
	/** What the next question to a server's assistant carries. */
	| {readonly kind: 'tray'; readonly server: string}
	/** `line`: what stands in it at first. */
	| {readonly kind: 'command-line'; readonly line?: string}
	/** `folder`: what stands in the field at first. */
	| {readonly kind: 'add-file'; readonly server: string; readonly folder: string}
	/** `path`: the folder of the server that is uploaded into, or what is downloaded. */
	| {readonly kind: 'transfer'; readonly server: string; readonly direction: 'upload' | 'download'; readonly path: string}
	| {readonly kind: 'overwrite'; readonly path: string; readonly direction: 'upload' | 'download'}
	| {readonly kind: 'go-to-path' | 'list-by-code'; readonly server: string}
	| {readonly kind: 'write-file'; readonly writing: Writing}
	| {readonly kind: 'kept-edits'}
	/** A text that was written and not saved, against what it was written over. */
	| {readonly kind: 'kept-edit'; readonly edit: KeptEdit; readonly rows: readonly DiffLine[]; readonly isDiscarding: boolean}
	| {readonly kind: 'difference'; readonly path: string; readonly rows: readonly DiffLine[]};

/** Lines by field and server; `''` stands for none. An empty line was used or given up. */
export type Lines = Readonly<Partial<Record<LineField, ReadonlyMap<string, string>>>>;

/** The field of a dialog whose line is kept, and its server. */
export const lineOf = (dialog: Dialog): {readonly field: LineField; readonly server: string} | null => {
	switch (dialog.kind) {
		case 'command-line': return {field: 'command', server: ''};
		case 'transfer': return {field: dialog.direction, server: dialog.server};
		case 'add-file': case 'go-to-path': case 'write-path': case 'export': return {field: dialog.kind, server: dialog.server};
		default: return null;
	}
};

export type RouteSlice = {
	readonly screen: Screen;
	readonly previousScreen: Screen;
	/** The server whose workspace the panes show. */
	readonly current: string | null;
	readonly paneFocus: PaneFocus;
	readonly docked: Readonly<Record<Pane, boolean>>;
	/** Of Files and REPL, the one that stands beside the assistant when there is room for two. */
	readonly partner: 'files' | 'repl';
	/** Only the pane with the keys is shown. */
	readonly zoomed: boolean;
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
	go(screen: Screen): void;
	chooseServer(name: string | null): void;
	focusPart<P extends Pane>(pane: P, part: PaneFocus[P]): void;
	toggleDock(pane: Pane): void;
	toggleZoom(): void;
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

export const createRouteSlice: StateCreator<RouteSlice, [], [], RouteSlice> = (set, get) => ({
	screen: 'servers',
	previousScreen: 'servers',
	current: null,
	paneFocus: {files: 'tree', repl: 'repl', assistant: 'assistant'},
	docked: {files: true, repl: true, assistant: true},
	partner: 'files',
	zoomed: false,
	dialogs: [],
	lines: {},
	lineHistory: [],
	dialogCount: 0,
	isDetailHidden: false,
	chord: null,
	quitting: false,
	go(screen) {
		const {screen: previousScreen, docked, partner} = get();
		if (screen === previousScreen) return;
		set({
			screen,
			previousScreen,
			...(isPane(screen) && {docked: {...docked, [screen]: true}}),
			partner: screen === 'files' || screen === 'repl' ? screen : partner,
		});
	},
	chooseServer: current => set({current}),
	focusPart: (pane, part) => set({paneFocus: {...get().paneFocus, [pane]: part}}),
	toggleDock: pane => set({docked: {...get().docked, [pane]: !get().docked[pane]}}),
	toggleZoom: () => set({zoomed: !get().zoomed}),
	toggleDetail: () => set({isDetailHidden: !get().isDetailHidden}),
	openDialog: dialog => set({dialogs: [...get().dialogs, dialog], dialogCount: get().dialogCount + 1}),
	changeDialog: dialog => set({dialogs: [...get().dialogs.slice(0, -1), dialog]}),
	closeDialog() {
		const dialog = get().dialogs.at(-1);
		const line = dialog && lineOf(dialog);
		if (line) get().keepLine(line.field, line.server, '');
		set({dialogs: get().dialogs.slice(0, -1)});
	},
	keepLine(field, server, line) {
		const {lines} = get();
		if ((lines[field]?.get(server) ?? '') !== line) set({lines: {...lines, [field]: new Map(lines[field]).set(server, line)}});
	},
	rememberLine: line => set({lineHistory: [...get().lineHistory.filter(each => each !== line), line].slice(-KEPT_LINES)}),
	setChord: chord => set({chord}),
	setQuitting: quitting => set({quitting}),
});
