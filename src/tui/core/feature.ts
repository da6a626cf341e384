// A room of the program: one noun with its parts, keys, dialogs and, mostly, a screen. Its index.ts exports the room, app.ts lists it.
import type {ComponentType} from 'react';
import type {Failure} from '../../api/failure.ts';
import type {App, Part} from './app.ts';
import type {LineField} from '../../storage/drafts.ts';
import type {Editor} from '../../text/editor/editor.ts';
import type {KeyScope, Tab} from './keys/binding-sets.ts';
import type {Action, Dialog, DialogOf, Pane, PaneFocus, Rect, Scope, State} from './program.ts';
import type {DraftSources} from './store/draft-source.ts';
import type {Remote} from './store/remote.ts';

/** A handler answers a sentence when its key cannot act now; it is shown. */
export type Handlers<S extends Scope> = {readonly [A in Action<S>]: () => string | void};
export type TextHandler = (text: string, isPasted?: boolean) => void;

/** Where keys act: the state at the moment of asking, and the place on screen of what has the keys. */
export type KeyContext = {
	readonly get: () => State;
	readonly rect: Rect;
	/** Of the whole terminal. */
	readonly columns: number;
	readonly rows: number;
	/** Does what another key does. */
	readonly act: (scope: Scope, action: string) => void;
	/** Presses keys in the package that a dialog shows, see own-input.tsx. */
	readonly press: (...keys: readonly string[]) => void;
};

/** What the keys of a scope do, every action of it; `typed` takes the text of a scope that takes any. Made anew for each key. */
export type KeyHandlers<S extends Scope> = (at: KeyContext) => Handlers<S> & {readonly typed?: TextHandler};
/** By scope: those that a screen or a dialog answers. */
export type ScopeHandlers = {readonly [S in Scope]?: KeyHandlers<S>};

/** Which action a label is asked for, and the place on screen of what has the keys. */
export type LabelAt = {
	readonly scope: Scope;
	readonly action: string;
	readonly server: string;
	readonly rect: Rect;
};

export type ScreenProps = {
	readonly rect: Rect;
	/** The server of a pane; `''` on other screens. */
	readonly server: string;
	readonly hasKeys: boolean;
};

/** What this machine keeps of a server, to be read while the server cannot be worked on. */
export type OfflineContent = {
	/** How much of what it is. */
	readonly words: string;
	readonly blocks: readonly (readonly string[])[];
	/** First row in view; null is at the end. */
	readonly top: number | null;
	readonly moves: Readonly<Record<'up' | 'down' | 'pageUp' | 'pageDown' | 'first' | 'last', () => void>>;
	/** Writes it to a file here. */
	readonly save: () => string | void;
};

export type ScreenSpec = Tab & {
	/** The scopes that have the keys, the topmost first; by default the one that is named like the screen, or the filter of its list. */
	readonly scopes?: (state: State) => readonly Scope[];
	/** What the `:` line says of the command that leads here; with `hasFilter` its argument filters the list, by `filter` where that is more than text. */
	readonly command?: {
		readonly does: string;
		readonly hasFilter?: true;
		readonly filter?: (get: () => State, filter: Editor) => string | void;
	};
	readonly handlers?: ScopeHandlers;
	/** Asks the service again for what is shown. */
	readonly refresh?: (state: State) => void;
	/** What Esc stops there while `top` has the keys, as the footer says it. */
	readonly stops?: (state: State, server: string, top: Scope) => string | undefined;
	/** Esc and Ctrl-C stop what runs there first; false when nothing does. */
	readonly stop?: (state: State, server: string) => boolean;
	/** Something runs there, whether it is on screen or not. */
	readonly isBusy?: (state: State, server: string) => boolean;
	/** What runs there waits for a line of the user's. */
	readonly waits?: (state: State, server: string) => boolean;
	/** A key has begun what mostly ends before a frame is drawn. */
	readonly hasBegunShort?: (before: State, now: State) => boolean;
	/** What of its work has ended since the program began, and whether the last of it failed. */
	readonly ended?: (state: State, server: string) => {readonly count: number; readonly failed: boolean};
	/** The part of the pane at a row of the screen, where it has several. */
	readonly partAt?: (state: State, server: string, rect: Rect, y: number) => PaneFocus[Pane];
	/** The failure that stands there. */
	readonly failure?: (state: State, server: string) => Failure | null | undefined;
	/** Ctrl-C puts aside what is typed there; answers the entry of the key that brings it back. */
	readonly stash?: (state: State, server: string) => string | undefined;
	/** What an action of the topmost scope does now, as the footer says it: null when it could only answer why not, undefined for what its row says. */
	readonly labelNow?: (state: State, at: LabelAt) => string | null | undefined;
	/** What is in the pane now needs less than its share of the screen. */
	readonly isNarrow?: (state: State, server: string) => boolean;
	/** What the pane shows while its server is offline, in a place of the screen; null where nothing is kept. */
	readonly kept?: (get: () => State, server: string, rect: Rect) => OfflineContent | null;
	/** Parts of a pane that Tab leads to. */
	readonly tabStops?: (state: State) => readonly PaneFocus[Pane][];
	/** What Tab does there now in place of leading on, as the footer says it; null where that is not worth a word. */
	readonly tabDoes?: (
		state: State,
		server: string,
		top: Scope,
	) => {readonly key: string; readonly label: string} | null | undefined;
	readonly Screen: ComponentType<ScreenProps>;
};

export type DialogSpec<Kind extends Dialog['kind'] = Dialog['kind']> = {
	readonly kind: Kind;
	/** The scope that has the keys, the topmost first where there are several. */
	readonly scope: Scope | ((dialog: DialogOf<Kind>) => readonly Scope[]);
	/** The field whose line is kept, and its server; `''` for none. */
	readonly line?: (dialog: DialogOf<Kind>) => {readonly field: LineField; readonly server: string};
	readonly handlers?: ScopeHandlers;
	/** What lies below shows what is highlighted: it is not dimmed. */
	readonly isPreview?: true;
	/** It is being sent: what is pressed meanwhile, but for what takes it back, is for what stands behind it. */
	readonly isSending?: (dialog: DialogOf<Kind>) => boolean;
	/** What an action does now, as the footer says it: null when it can do nothing, undefined for what its row says. */
	readonly labelNow?: (
		state: State,
		dialog: DialogOf<Kind>,
		action: string,
		rect: Rect,
	) => string | null | undefined;
	/** The failure that stands in it. */
	readonly failure?: (state: State, dialog: DialogOf<Kind>) => Failure | null | undefined;
	/** Its box says what its keys do, so the footer does not say it again. */
	readonly saysKeys?: (dialog: DialogOf<Kind>) => boolean;
	/** Ctrl-C in place of only closing it: what was typed is kept, and nothing goes on waiting for its answer. */
	readonly dismiss?: (state: State, dialog: DialogOf<Kind>) => void;
	readonly Dialog: ComponentType<DialogOf<Kind> & {readonly body: Rect}>;
};

/** The panes of a server: when they can be worked in, and what stands in their place until then. */
export type Workspace = {
	/** The list of what can be worked in, of the first screen. */
	readonly list: (state: State) => Remote<unknown>;
	/** Before it has come a key of that screen would meet nothing. */
	readonly needsList: (state: State, action: string) => boolean;
	readonly isOpen: (state: State) => boolean;
	/** It is not open yet, and opens by itself: keys of a pane wait for that. */
	readonly isComing: (state: State) => boolean;
	readonly closedScope: Scope;
	/** Actions of that scope that do not wait until it is open. */
	readonly actsWhileComing: (action: string) => boolean;
	/** What an action of that scope does now, as the footer says it: null when it can do nothing, undefined for what its row says. */
	readonly labelNow: (state: State, action: string, rect: Rect) => string | null | undefined;
	/** The current one at the right end of the header: the cells that it needs, and its text in so many. */
	readonly mark: {
		readonly width: (state: State) => number;
		readonly text: (state: State, width: number) => string;
		/** In words, without colours; empty for none. */
		readonly words: (state: State) => string;
	};
	/** Asks the service again for what its panes show. */
	readonly refresh: (state: State) => void;
	readonly handlers?: ScopeHandlers;
	readonly Closed: ComponentType<{readonly rect: Rect}>;
};

type LineContext = {
	readonly get: () => State;
	readonly act: (scope: 'global' | 'anywhere', action: string) => void;
};

/** A command of the `:` line. */
export type LineCommand = {
	readonly name: string;
	/** Its argument as the list shows it; none when it takes none. `[X]` may be left out. */
	readonly argument?: string;
	readonly does: string;
	/** The key that does the same: lists of all actions have one row for both. */
	readonly key?: `${Scope}.${string}`;
	/** It changes something or spends money. */
	readonly writes?: true;
	/** What the argument may be. */
	readonly suggest?: (state: State) => readonly string[];
	/** A sentence says why it cannot be done. */
	readonly run: (context: LineContext, argument: string) => string | void;
};

/** What a number alone does on the `:` line. */
export type NumberCommand = {
	/** What it is a line of. */
	readonly of: (state: State) => string;
	readonly run: (get: () => State, line: number) => string | void;
};

/** State and times of a cell. ms since the epoch. */
export type RunTimes = {
	readonly state: string;
	readonly startedAt: number | null;
	readonly endedAt: number | null;
};

export type Feature = {
	readonly parts?: readonly Part[];
	readonly keys?: Readonly<Record<string, KeyScope>>;
	readonly dialogs?: readonly DialogSpec[];
	readonly drafts?: DraftSources;
	/** Of scopes that work everywhere. */
	readonly handlers?: ScopeHandlers;
	readonly screen?: ScreenSpec;
	readonly workspace?: Workspace;
	/** Of the `:` line. */
	readonly commands?: readonly LineCommand[];
	readonly onNumber?: NumberCommand;
	/** Code that this program has run on a server. */
	readonly runs?: (state: State, server: string) => readonly RunTimes[];
	/** Called once with each new App, when all its parts are made. */
	readonly onStart?: (app: App) => void;
};

/** A room with a screen, whose handlers are not for everywhere. */
export const screen = ({handlers, ...facts}: ScreenSpec & Omit<Feature, 'screen'>): Feature => ({
	...facts,
	screen: {...facts, ...(handlers && {handlers})},
});

/** A dialog; its handlers find what it holds as the last of `dialogs`. */
export const dialog = <Kind extends Dialog['kind']>(facts: DialogSpec<Kind>): DialogSpec =>
	facts as unknown as DialogSpec;
