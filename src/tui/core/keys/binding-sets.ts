// Rows of the key table that several scopes share.
import type {Pane, PaneFocus, Screen} from '../program.ts';
import type {Action, Row, Rows} from './action.ts';

/**
 * A row of the key table. The `now` and `run` of an action are missing in commands that draw no
 * screen.
 */
export type Binding = Row & Partial<Pick<Action, 'now' | 'run'>> & {readonly action: string};

/** A screen's tab in the header, and the key that opens the screen. */
export type Tab = {
	readonly id: Screen;
	readonly title: string;
	/** Title if the header has little room. */
	readonly short?: string;
	/** Key that opens the screen. Together with Alt it works in text fields too. */
	readonly jump: string;
	/** Present if the screen is a pane of a server's workspace. */
	readonly pane?: {
		/** Name of the pane in key labels. `sentence`: the name at the start of a sentence. */
		readonly name: string;
		readonly sentence: string;
		/** Key that docks or hides the pane. */
		readonly dock: string;
		/** Part of the pane that has focus at first. */
		readonly part: PaneFocus[Pane];
	};
};

const pages = {
	pageUp: {keys: ['pageup', 'ctrl+u'], label: 'Page up'},
	pageDown: {keys: ['pagedown', 'ctrl+d'], label: 'Page down'},
	first: {keys: ['g', 'home'], label: 'To the top'},
	last: {keys: ['G', 'end'], label: 'To the end'},
} as const satisfies Rows;

/** Name of the action that docks or hides a pane. */
export const dockAction = (pane: string): string => `dock${pane.slice(0, 1).toUpperCase()}${pane.slice(1)}`;

export const list = {
	up: {keys: ['up', 'k'], label: 'Move up'},
	down: {keys: ['down', 'j'], label: 'Move down'},
	...pages,
} as const satisfies Rows;

export const filtered = {
	filter: {keys: ['/'], label: 'find', also: 'filter', hint: true},
	showAll: {keys: ['U'], label: 'Clear the filter'},
} as const satisfies Rows;

/** Keys of a list with columns. */
export const sorted = {
	sortNext: {keys: ['>'], label: 'Sort by the next column'},
	sortPrevious: {keys: ['<'], label: 'Sort by the previous column'},
	turnSort: {keys: ['='], label: 'Reverse sort'},
} as const satisfies Rows;

/** Editing within one line. */
export const line = {
	left: {keys: ['left', 'ctrl+b'], label: 'Character left'},
	right: {keys: ['right', 'ctrl+f'], label: 'Character right'},
	wordLeft: {keys: ['alt+left', 'ctrl+left', 'alt+b'], label: 'Word left'},
	wordRight: {keys: ['alt+right', 'ctrl+right', 'alt+f'], label: 'Word right'},
	lineStart: {keys: ['home', 'ctrl+a'], label: 'Start of the line'},
	lineEnd: {keys: ['end', 'ctrl+e'], label: 'End of the line'},
	backspace: {keys: ['backspace', 'ctrl+h'], label: 'Delete before the cursor'},
	delete: {keys: ['delete', 'ctrl+d'], label: 'Delete after the cursor'},
	deleteWord: {keys: ['ctrl+w', 'alt+backspace', 'ctrl+backspace'], label: 'Delete the previous word'},
	deleteWordAfter: {keys: ['alt+d', 'ctrl+delete', 'alt+delete'], label: 'Delete the next word'},
	killToEnd: {keys: ['ctrl+k'], label: 'Delete to the end of the line'},
	killToStart: {keys: ['ctrl+u'], label: 'Delete to the start of the line'},
	yank: {keys: ['ctrl+y'], label: 'Paste what was deleted'},
	undo: {keys: ['ctrl+_'], label: 'Undo'},
	redo: {keys: ['alt+_'], label: 'Redo'},
} as const satisfies Rows;

/** Editing of several lines. */
export const lines = {
	...line,
	textStart: {keys: ['ctrl+home', 'alt+<'], label: 'Start of the text'},
	textEnd: {keys: ['ctrl+end', 'alt+>'], label: 'End of the text'},
} as const satisfies Rows;

export const editing = {
	// Ctrl-J comes first because it works in every terminal: xterm uses Alt-Enter itself, and many
	// terminals send the same bytes for Shift-Enter and Enter.
	newline: {keys: ['ctrl+j', 'shift+enter', 'alt+enter'], label: 'new line', hint: true},
	...lines,
	earlier: {keys: ['up'], label: 'Line up, or earlier entry'},
	later: {keys: ['down'], label: 'Line down, or later entry'},
	scrollUp: {keys: ['pageup'], label: 'Scroll back'},
	scrollDown: {keys: ['pagedown'], label: 'Scroll forward'},
} as const satisfies Rows;

export const reading = {
	up: {keys: ['up', 'k'], label: 'Scroll up'},
	down: {keys: ['down', 'j'], label: 'Scroll down'},
	...pages,
} as const satisfies Rows;

/** Movements within a list, a text or a field. The palette ranks them last. */
export const MOVEMENTS: ReadonlySet<string> = new Set(Object.keys({...list, ...editing, ...reading}));
