// What the key table is made of, and keys that several scopes have.
import type {Pane, PaneFocus, Screen} from '../program.ts';

/**
 * `keys`: names as in key-names.ts; two names with a space are pressed one after the other.
 * `hint` rows are offered in the footer, in this order, as far as there is room. `writes` rows lead to another
 * request than GET: a read-only profile hides them. Which ones hold now: live-keys.ts.
 */
export type Binding = {
	readonly action: string;
	readonly keys: readonly string[];
	readonly label: string;
	/** Other words by which people look for it. */
	readonly also?: string;
	readonly hint?: true;
	readonly writes?: true;
};

/** The keys of one part of the program. */
export type KeyScope = {
	/** Where they work, in words. */
	readonly where: string;
	/** Of a scope of a screen: its name in the palette. */
	readonly name?: string;
	/** The screen, and the part of its pane, to which the palette goes for them. */
	readonly screen?: Screen;
	readonly part?: string;
	/** Text is typed there. */
	readonly isText?: true;
	/** It holds for a moment: from elsewhere its keys mean nothing. */
	readonly isPassing?: true;
	readonly isDialog?: true;
	readonly rows: readonly Binding[];
};

/** How a screen stands among the others. */
export type Tab = {
	readonly id: Screen;
	readonly title: string;
	/** Its title where the header has little room. */
	readonly short?: string;
	/** The key that leads here; with Alt also from a field. */
	readonly jump: string;
	/** It is a pane of a server's workspace. */
	readonly pane?: {
		/** As a key's label names it, and as a sentence begins with it. */
		readonly name: string;
		readonly sentence: string;
		/** The key that puts it beside the others, or hides it. */
		readonly dock: string;
		/** The part that has the keys at first. */
		readonly part: PaneFocus[Pane];
	};
};

const pages = [
	{action: 'pageUp', keys: ['pageup', 'ctrl+u'], label: 'Page up'},
	{action: 'pageDown', keys: ['pagedown', 'ctrl+d'], label: 'Page down'},
	{action: 'first', keys: ['g', 'home'], label: 'To the top'},
	{action: 'last', keys: ['G', 'end'], label: 'To the end'},
] as const satisfies readonly Binding[];

export const list = [
	{action: 'up', keys: ['up', 'k'], label: 'Move up'},
	{action: 'down', keys: ['down', 'j'], label: 'Move down'},
	...pages,
] as const satisfies readonly Binding[];

export const filtered = [
	{action: 'filter', keys: ['/'], label: 'filter', hint: true},
	{action: 'showAll', keys: ['U'], label: 'Clear the filter'},
] as const satisfies readonly Binding[];

/** Of a list with columns. */
export const sorted = [
	{action: 'sortNext', keys: ['>'], label: 'Sort by the next column'},
	{action: 'sortPrevious', keys: ['<'], label: 'Sort by the previous column'},
	{action: 'turnSort', keys: ['='], label: 'Reverse sort'},
] as const satisfies readonly Binding[];

/** Editing within one line. */
export const line = [
	{action: 'left', keys: ['left', 'ctrl+b'], label: 'Character left'},
	{action: 'right', keys: ['right', 'ctrl+f'], label: 'Character right'},
	{action: 'wordLeft', keys: ['alt+left', 'ctrl+left', 'alt+b'], label: 'Word left'},
	{action: 'wordRight', keys: ['alt+right', 'ctrl+right', 'alt+f'], label: 'Word right'},
	{action: 'lineStart', keys: ['home', 'ctrl+a'], label: 'Start of the line'},
	{action: 'lineEnd', keys: ['end', 'ctrl+e'], label: 'End of the line'},
	{action: 'backspace', keys: ['backspace', 'ctrl+h'], label: 'Delete before the cursor'},
	{action: 'delete', keys: ['delete', 'ctrl+d'], label: 'Delete after the cursor'},
	{
		action: 'deleteWord',
		keys: ['ctrl+w', 'alt+backspace', 'ctrl+backspace'],
		label: 'Delete the previous word',
	},
	{action: 'deleteWordAfter', keys: ['alt+d', 'ctrl+delete', 'alt+delete'], label: 'Delete the next word'},
	{action: 'killToEnd', keys: ['ctrl+k'], label: 'Delete to the end of the line'},
	{action: 'killToStart', keys: ['ctrl+u'], label: 'Delete to the start of the line'},
	{action: 'yank', keys: ['ctrl+y'], label: 'Paste what was deleted'},
	{action: 'undo', keys: ['ctrl+_'], label: 'Undo'},
	{action: 'redo', keys: ['alt+_'], label: 'Redo'},
] as const satisfies readonly Binding[];

/** Editing of several lines. */
export const lines = [
	...line,
	{action: 'textStart', keys: ['ctrl+home', 'alt+<'], label: 'Start of the text'},
	{action: 'textEnd', keys: ['ctrl+end', 'alt+>'], label: 'End of the text'},
] as const satisfies readonly Binding[];

export const editing = [
	// First what every terminal sends: an xterm keeps Alt-Enter for itself, and many tell no Shift-Enter from Enter.
	{action: 'newline', keys: ['ctrl+j', 'shift+enter', 'alt+enter'], label: 'new line', hint: true},
	...lines,
	{action: 'earlier', keys: ['up'], label: 'Line up, or earlier entry'},
	{action: 'later', keys: ['down'], label: 'Line down, or later entry'},
	{action: 'scrollUp', keys: ['pageup'], label: 'Scroll back'},
	{action: 'scrollDown', keys: ['pagedown'], label: 'Scroll forward'},
] as const satisfies readonly Binding[];

export const reading = [
	{action: 'up', keys: ['up', 'k'], label: 'Scroll up'},
	{action: 'down', keys: ['down', 'j'], label: 'Scroll down'},
	...pages,
] as const satisfies readonly Binding[];

/** Actions that move within a list, a text or a field: nobody looks for them in the palette. */
export const MOVEMENTS: ReadonlySet<string> = new Set(
	[...list, ...editing, ...reading].map(({action}) => action),
);
