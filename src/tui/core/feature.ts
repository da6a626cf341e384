// A feature of the program: a noun with its parts, keys, dialogs and usually a screen. Its index.ts
// exports the feature, and feature-list.ts lists it.
import type {ComponentType} from 'react';
import type {Failure} from '../../api/failure.ts';
import type {App, Part} from './app.ts';
import type {LineField} from '../../storage/drafts.ts';
import type {Editor} from '../../text/editor/editor.ts';
import type {Tab} from './keys/binding-sets.ts';
import type {FeatureKeys} from './keys/keymap.ts';
import type {SharedHandlers} from './keys/shared-rows.ts';
import type {Choice} from './dialogs/choice.ts';
import type {Dialog, DialogOf, Pane, PaneFocus, Rect, Scope, Screen, State} from './program.ts';
import type {DraftSources} from './store/draft-source.ts';
import type {Remote} from './store/remote.ts';

export type {KeyContext, TextHandler} from './program.ts';

export type ScreenProps = {
	readonly rect: Rect;
	/** The server of a pane; `''` on other screens. */
	readonly server: string;
	readonly hasKeys: boolean;
};

/** Saved content of a server, readable while the server is not usable. */
export type OfflineContent = {
	/** Amount and kind of the content, as text. */
	readonly words: string;
	readonly blocks: readonly (readonly string[])[];
	/** First visible row. Null: the last rows are visible. */
	readonly top: number | null;
	readonly moves: Readonly<Record<'up' | 'down' | 'pageUp' | 'pageDown' | 'first' | 'last', () => void>>;
	/** Writes the content to a local file. */
	readonly save: () => string | void;
};

export type ScreenSpec = Tab & {
	/**
	 * Focused scopes, topmost first; by default the scope named like the screen, or the filter of
	 * its list.
	 */
	readonly scopes?: (state: State) => readonly Scope[];
	/**
	 * The `:` command that opens the screen, with its description. `hasFilter`: its argument
	 * filters the list. `filter` does that for a list whose filter is more than text.
	 */
	readonly command?: {
		readonly does: string;
		readonly hasFilter?: true;
		readonly filter?: (get: () => State, filter: Editor) => string | void;
	};
	/** Effects of the scopes that this screen shares with others. */
	readonly handlers?: SharedHandlers;
	/** Reloads the shown data from the service. */
	readonly refresh?: (state: State) => void;
	/** The list that the screen shows, and a function that stops its request. */
	readonly list?: (state: State) => {readonly remote: Remote<unknown>; readonly stop: () => boolean};
	/** Label of Esc while Esc stops work; `top` is the focused scope. */
	readonly stops?: (state: State, server: string, top: Scope) => string | undefined;
	/** Marked rows, which Esc clears before it leaves the screen; undefined for none. */
	readonly marked?: (state: State) => (() => void) | undefined;
	/** Stops running work, which Esc and Ctrl-C do before anything else. False if there is none. */
	readonly stop?: (state: State, server: string) => boolean;
	/** True if work runs in the pane, visible or not. */
	readonly isBusy?: (state: State, server: string) => boolean;
	/** True if the work waits for the user's input. */
	readonly waits?: (state: State, server: string) => boolean;
	/** True if a key has started work that usually ends before the next frame is drawn. */
	readonly hasBegunShort?: (before: State, now: State) => boolean;
	/** Count of work that ended since the program started, and true if the last work failed. */
	readonly ended?: (state: State, server: string) => {readonly count: number; readonly failed: boolean};
	/** The part of the pane at a cell of the screen, if it has several. */
	readonly partAt?: (
		state: State,
		server: string,
		rect: Rect,
		at: {readonly x: number; readonly y: number},
	) => PaneFocus[Pane];
	/** The failure that the pane shows. */
	readonly failure?: (state: State, server: string) => Failure | null | undefined;
	/** Stores the typed text on Ctrl-C. Returns the action whose key restores it, or undefined. */
	readonly stash?: (state: State, server: string) => string | undefined;
	/** True if the pane has a tree that can be shown beside its content. */
	readonly hasRail?: (state: State, server: string) => boolean;
	/** Shows or hides the tree. `isBeside`: there is room for the tree beside the content. */
	readonly showTree?: (state: State, isBeside: boolean) => string | void;
	/** True if the tree has focus. */
	readonly isInTree?: (state: State) => boolean;
	/** True if the pane has something to show as a companion. */
	readonly hasContent?: (state: State, server: string) => boolean;
	/** Safe text about the content, beside the pane's name in the dock; empty for none. */
	readonly inDock?: (state: State, server: string) => string;
	/** Saved content of an offline server, for an area of the screen; null if there is none. */
	readonly kept?: (get: () => State, server: string, rect: Rect) => OfflineContent | null;
	/** Parts of a pane at which Tab stops, in this area of the screen. */
	readonly tabStops?: (state: State, rect: Rect) => readonly PaneFocus[Pane][];
	/** Label of Tab in the footer if Tab does not move to the next pane; null to show none. */
	readonly tabDoes?: (
		state: State,
		server: string,
		top: Scope,
	) => {readonly key: string; readonly label: string} | null | undefined;
	readonly Screen: ComponentType<ScreenProps>;
};

export type DialogSpec<Kind extends Dialog['kind'] = Dialog['kind']> = {
	readonly kind: Kind;
	/** Focused scope, or several with the topmost first. */
	readonly scope: Scope | ((dialog: DialogOf<Kind>) => readonly Scope[]);
	/** The field whose text is stored, and its server; `''` for none. */
	readonly line?: (dialog: DialogOf<Kind>) => {readonly field: LineField; readonly server: string};
	/** Effects of the scopes that this dialog shares with others. */
	readonly handlers?: SharedHandlers;
	/** True if the dialog covers the titles of the panes with its own title. */
	readonly coversTitles?: true;
	/**
	 * True if the screen below is not dimmed, because it previews the highlighted choice or because
	 * the user reads it while typing.
	 */
	readonly isPreview?: true;
	/**
	 * True while the dialog is being submitted. Keys pressed now go to the screen below, except Esc
	 * and Ctrl-C.
	 */
	readonly isSending?: (dialog: DialogOf<Kind>) => boolean;
	/** The failure that the dialog shows. */
	readonly failure?: (state: State, dialog: DialogOf<Kind>) => Failure | null | undefined;
	/** True if the dialog's text names its keys, so a screen reader does not read the footer. */
	readonly saysKeys?: (dialog: DialogOf<Kind>) => boolean;
	/** Handles Ctrl-C: stores the typed text and ends any wait for an answer. */
	readonly dismiss?: (state: State, dialog: DialogOf<Kind>) => void;
	readonly Dialog: ComponentType<DialogOf<Kind> & {readonly body: Rect}>;
};

/** The panes of a server: when they are usable, and the view that replaces them until then. */
export type Workspace = {
	/** The list of servers, which the first screen shows. */
	readonly list: (state: State) => Remote<unknown>;
	/** True if a key of the first screen has no effect before the list has loaded. */
	readonly needsList: (state: State, action: string) => boolean;
	readonly isOpen: (state: State) => boolean;
	/** True if the panes will open automatically. Keys for the panes wait until then. */
	readonly isComing: (state: State) => boolean;
	readonly closedScope: Scope;
	/** Actions of `closedScope` that act before the panes are open. */
	readonly actsWhileComing: (action: string) => boolean;
	/**
	 * The current server at the right end of the header: its full width, and its text for a given
	 * width.
	 */
	readonly mark: {
		readonly width: (state: State) => number;
		readonly text: (state: State, width: number) => string;
		/** Text of the mark without colours; empty for none. */
		readonly words: (state: State) => string;
	};
	/** Reloads the data of the panes from the service. */
	readonly refresh: (state: State) => void;
	readonly Closed: ComponentType<{readonly rect: Rect}>;
};

type LineContext = {
	readonly get: () => State;
	readonly act: (scope: 'global' | 'anywhere', action: string) => void;
};

/** A command of the `:` line. */
export type LineCommand = {
	readonly name: string;
	/** Argument as the list shows it; missing if the command takes none. `[X]` is optional. */
	readonly argument?: string;
	readonly does: string;
	/** Key with the same effect as the command: lists of all actions show both in one row. */
	readonly key?: `${Scope}.${string}`;
	/** True if the command changes something or spends money. */
	readonly writes?: true;
	/** Possible arguments. */
	readonly suggest?: (state: State) => readonly string[];
	/** Returns the reason if the command cannot act. */
	readonly run: (context: LineContext, argument: string) => string | void;
};

/** Current line of a text, counted from 1, and its number of lines. */
export type LinePlace = {readonly line: number; readonly count: number};

/** Effect of numbers on the `:` line. */
export type NumberCommand = {
	/** Scope in which a number before the key for the last row is a line number. */
	readonly scope: Scope;
	/** Name of the text that the line belongs to. */
	readonly of: (state: State) => string;
	readonly run: (get: () => State, line: number) => string | void;
	/** Current line, and the number of lines. */
	readonly at: (state: State) => LinePlace;
	/** Effect of a range, two numbers with a comma between them. */
	readonly mark?: (get: () => State, from: number, to: number) => string | void;
	/** Effect of a range followed by `r`. */
	readonly runRange?: (get: () => State, from: number, to: number) => string | void;
	/** Effect of a range followed by `@` and an optional question. */
	readonly ask?: (get: () => State, from: number, to: number, question: string) => string | void;
};

/** State and times of a cell, in ms since the epoch. */
export type RunTimes = {
	readonly state: string;
	readonly startedAt: number | null;
	readonly endedAt: number | null;
};

/** Result for a typed text: its row, and the name that is compared with the text. */
export type Hit = {readonly choice: Choice; readonly name: string};

/** A group of results in the palette. */
export type Find = {
	/** Position of the group among groups with equally good matches. */
	readonly order: number;
	/** First character of the typed text that selects only this group; empty for none. */
	readonly prefix: string;
	/** Name of the group, beside its prefix. */
	readonly name: string;
	/** Screen whose list has the rows of this group. */
	readonly screen?: Screen;
	readonly section: (state: State) => string;
	/**
	 * Hits, best first. Called several times per key press, so costly results must be cached.
	 * `isOnly`: the user has selected only this group.
	 */
	readonly hits: (get: () => State, words: string, isOnly?: boolean) => readonly Hit[];
	/** Shows the list with the words as its query, for unknown words on the `:` line. */
	readonly query?: {
		readonly text: (words: string) => string;
		readonly run: (get: () => State, words: string) => string | void;
	};
	/** Loads the data in which `hits` searches. */
	readonly load?: (get: () => State) => void;
};

export type Feature = {
	readonly finds?: readonly Find[];
	readonly parts?: readonly Part[];
	readonly keys?: FeatureKeys;
	readonly dialogs?: readonly DialogSpec[];
	readonly drafts?: DraftSources;
	readonly screen?: ScreenSpec;
	readonly workspace?: Workspace;
	/** Commands of the `:` line. */
	readonly commands?: readonly LineCommand[];
	readonly onNumber?: NumberCommand;
	/** Code that this program has run on a server. */
	readonly runs?: (state: State, server: string) => readonly RunTimes[];
	/** Called once with each new App, when all its parts exist. */
	readonly onStart?: (app: App) => void;
};

/** A feature with a screen, whose handlers are only for that screen. */
export const screen = ({handlers, ...facts}: ScreenSpec & Omit<Feature, 'screen'>): Feature => ({
	...facts,
	screen: {...facts, ...(handlers && {handlers})},
});

/** A dialog. Its handlers find the dialog's data at the end of `dialogs`. */
export const dialog = <Kind extends Dialog['kind']>(facts: DialogSpec<Kind>): DialogSpec =>
	facts as unknown as DialogSpec;
