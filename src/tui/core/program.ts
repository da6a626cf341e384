// The types of the whole program: each feature's index.ts adds to them by `declare module`.
import type {StoreApi} from 'zustand/vanilla';
import type {Editor} from '../../text/editor/editor.ts';

/** Data of all features. */
export interface State {}
/** @public Names of the groups of keys: see keys/keymap.ts. */
export interface Scopes {}
/** @public Screens that are not panes, by id. */
export interface Screens {}
/**
 * @public Panes of a server's workspace, by id, with the parts of each that may have focus. Each
 * pane is a screen too.
 */
export interface Panes {}
/** @public Data that a dialog is opened with, by kind. */
export interface Dialogs {}

export type Store = StoreApi<State>;

export type Scope = keyof Scopes;

export type Pane = keyof Panes;
export type Screen = keyof Screens | Pane;
/** Focused part of each pane. */
export type PaneFocus = {readonly [P in Pane]: Panes[P]};

/** Typed text of a chooser, and its cursor: the row's id, and the index at which it was drawn. */
export type Choosing = {readonly editor: Editor; readonly at: number; readonly id: string | null};

export type Dialog = {
	readonly [Kind in keyof Dialogs]: {readonly kind: Kind; readonly choosing?: Choosing} & Readonly<
		Dialogs[Kind]
	>;
}[keyof Dialogs];
export type DialogOf<Kind extends Dialog['kind']> = Extract<Dialog, {readonly kind: Kind}>;

/** Props of a dialog: its data, and the available area. */
export type DialogProps<Kind extends keyof Dialogs> = Readonly<Dialogs[Kind]> & {readonly body: Rect};

/** Cells of the screen, counted from 0 at its top left. */
export type Rect = {
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
	/** Width of a tree at the left of the pane, in cells, if it is shown beside the content. */
	readonly rail?: number;
	/** 1 if a divider follows at the right: the scroll mark is drawn there. */
	readonly edge?: 0 | 1;
};

export type TextHandler = (text: string, isPasted?: boolean) => void;

/** Context of a key: the state at that moment, and the screen position of the focused part. */
export type KeyContext = {
	readonly get: () => State;
	readonly rect: Rect;
	/** Terminal size in cells. */
	readonly columns: number;
	readonly rows: number;
	/** Runs the action of another key. */
	readonly act: (scope: Scope, action: string) => void;
	/** Sends keys to the Ink package in the topmost dialog, see ink-input.tsx. */
	readonly press: (...keys: readonly string[]) => void;
	/** The key press that caused this effect; missing for a click or an action from a list. */
	readonly pressed?: {
		readonly text: string;
		/** True if earlier keys in the same chunk of input have opened or changed the dialog. */
		readonly isAhead: boolean;
	};
};
