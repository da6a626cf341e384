// The types of the whole program, as its rooms make them: each room's index.ts adds to these by `declare module`.
import type {StoreApi} from 'zustand/vanilla';
import type {Editor} from '../../text/editor/editor.ts';

/** Data of all rooms. */
export interface State {}
/** @public A room's groups of keys, by scope: see keys/keymap.ts. */
export interface Keymap {}
/** @public Screens that stand alone, by id. */
export interface Screens {}
/** @public Panes of a server's workspace, by id, and the parts of each that may have the keys. They are screens too. */
export interface Panes {}
/** @public What a dialog is opened with, by kind. */
export interface Dialogs {}

export type Store = StoreApi<State>;

export type Scope = keyof Keymap;
type RowOf<S extends Scope> = Keymap[S] extends {readonly rows: readonly (infer Row)[]} ? Row : never;
export type Action<S extends Scope> = Extract<RowOf<S>, {readonly action: string}>['action'];

export type Pane = keyof Panes;
export type Screen = keyof Screens | Pane;
/** Which part of each pane has the keys. */
export type PaneFocus = {readonly [P in Pane]: Panes[P]};

/** What is typed into a chooser, and where its cursor is: the row's id, and the place where that was drawn. */
export type Choosing = {readonly editor: Editor; readonly at: number; readonly id: string | null};

export type Dialog = {
	readonly [Kind in keyof Dialogs]: {readonly kind: Kind; readonly choosing?: Choosing} & Readonly<
		Dialogs[Kind]
	>;
}[keyof Dialogs];
export type DialogOf<Kind extends Dialog['kind']> = Extract<Dialog, {readonly kind: Kind}>;

/** What a dialog is drawn with: what it was opened with, and the room there is. */
export type DialogProps<Kind extends keyof Dialogs> = Readonly<Dialogs[Kind]> & {readonly body: Rect};

/** Cells of the screen, counted from 0 at its top left. */
export type Rect = {readonly x: number; readonly y: number; readonly width: number; readonly height: number};
