// Keys that several scopes have.

/**
 * `keys`: names as in key-names.ts; two names with a space are pressed one after the other.
 * `hint` rows are offered in the footer, in this order, as far as there is room. `writes` rows change something on the service or
 * spend money: a read-only profile hides them. What holds now is told by live-keys.ts.
 */
export type Binding = {readonly action: string; readonly keys: readonly string[]; readonly label: string; readonly hint?: true; readonly writes?: true};

export const list = [
	{action: 'up', keys: ['up', 'k'], label: 'Move up'},
	{action: 'down', keys: ['down', 'j'], label: 'Move down'},
	{action: 'pageUp', keys: ['pageup', 'ctrl+u'], label: 'A page up'},
	{action: 'pageDown', keys: ['pagedown', 'ctrl+d'], label: 'A page down'},
	{action: 'first', keys: ['g', 'home'], label: 'To the top'},
	{action: 'last', keys: ['G', 'end'], label: 'To the end'},
] as const satisfies readonly Binding[];

export const filtered = [
	{action: 'filter', keys: ['/'], label: 'filter', hint: true},
	{action: 'showAll', keys: ['U'], label: 'No filter'},
] as const satisfies readonly Binding[];

/** Of a list with columns. */
export const sorted = [
	{action: 'sortNext', keys: ['>'], label: 'Sort by the next column'},
	{action: 'sortPrevious', keys: ['<'], label: 'Sort by the column before'},
	{action: 'turnSort', keys: ['='], label: 'Turn the order round'},
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
	{action: 'deleteWord', keys: ['ctrl+w', 'alt+backspace'], label: 'Delete the word before'},
	{action: 'killToEnd', keys: ['ctrl+k'], label: 'Delete to the end of the line'},
	{action: 'killToStart', keys: ['ctrl+u'], label: 'Delete to the start of the line'},
	{action: 'undo', keys: ['ctrl+_'], label: 'Undo'},
	{action: 'redo', keys: ['alt+_'], label: 'Redo'},
] as const satisfies readonly Binding[];

export const editing = [
	{action: 'newline', keys: ['alt+enter', 'shift+enter', 'ctrl+j'], label: 'new line', hint: true},
	...line,
	{action: 'textStart', keys: ['ctrl+home', 'alt+<'], label: 'Start of the text'},
	{action: 'textEnd', keys: ['ctrl+end', 'alt+>'], label: 'End of the text'},
	{action: 'earlier', keys: ['up'], label: 'Line up, then earlier entry'},
	{action: 'later', keys: ['down'], label: 'Line down, then later entry'},
	{action: 'scrollUp', keys: ['pageup'], label: 'Scroll back'},
	{action: 'scrollDown', keys: ['pagedown'], label: 'Scroll on'},
] as const satisfies readonly Binding[];

export const reading = [
	{action: 'up', keys: ['up', 'k'], label: 'Scroll up'},
	{action: 'down', keys: ['down', 'j'], label: 'Scroll down'},
	{action: 'pageUp', keys: ['pageup', 'ctrl+u'], label: 'A page up'},
	{action: 'pageDown', keys: ['pagedown', 'ctrl+d'], label: 'A page down'},
	{action: 'first', keys: ['g', 'home'], label: 'To the top'},
	{action: 'last', keys: ['G', 'end'], label: 'To the end'},
] as const satisfies readonly Binding[];

/** Actions that move within a list, a text or a field: nobody looks for them in the palette. */
export const MOVEMENTS: ReadonlySet<string> = new Set([...list, ...editing, ...reading].map(({action}) => action));
