// THE KEY TABLE. The dispatcher, the footer, `?`, README's table and the tests all read it.

/**
 * `keys`: names as in key-names.ts; two names with a space are pressed one after the other.
 * `hint` rows are offered in the footer, in this order, as far as there is room. `writes` rows change something on the service or
 * spend money: a read-only profile hides them. What holds now is told by live-keys.ts.
 */
export type Binding = {readonly action: string; readonly keys: readonly string[]; readonly label: string; readonly hint?: true; readonly writes?: true};

const list = [
	{action: 'up', keys: ['up', 'k'], label: 'Move up'},
	{action: 'down', keys: ['down', 'j'], label: 'Move down'},
	{action: 'pageUp', keys: ['pageup', 'ctrl+u'], label: 'A page up'},
	{action: 'pageDown', keys: ['pagedown', 'ctrl+d'], label: 'A page down'},
	{action: 'first', keys: ['g', 'home'], label: 'To the top'},
	{action: 'last', keys: ['G', 'end'], label: 'To the end'},
] as const satisfies readonly Binding[];

const filtered = [
	{action: 'filter', keys: ['/'], label: 'filter', hint: true},
	{action: 'showAll', keys: ['U'], label: 'No filter'},
] as const satisfies readonly Binding[];

/** Of a list with columns. */
const sorted = [
	{action: 'sortNext', keys: ['>'], label: 'Sort by the next column'},
	{action: 'sortPrevious', keys: ['<'], label: 'Sort by the column before'},
	{action: 'turnSort', keys: ['='], label: 'Turn the order round'},
] as const satisfies readonly Binding[];

/** Editing within one line. */
const line = [
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

const editing = [
	{action: 'newline', keys: ['alt+enter', 'shift+enter', 'ctrl+j'], label: 'new line', hint: true},
	...line,
	{action: 'textStart', keys: ['ctrl+home', 'alt+<'], label: 'Start of the text'},
	{action: 'textEnd', keys: ['ctrl+end', 'alt+>'], label: 'End of the text'},
	{action: 'earlier', keys: ['up'], label: 'Line up, then earlier entry'},
	{action: 'later', keys: ['down'], label: 'Line down, then later entry'},
	{action: 'scrollUp', keys: ['pageup'], label: 'Scroll back'},
	{action: 'scrollDown', keys: ['pagedown'], label: 'Scroll on'},
] as const satisfies readonly Binding[];

const reading = [
	{action: 'up', keys: ['up', 'k'], label: 'Scroll up'},
	{action: 'down', keys: ['down', 'j'], label: 'Scroll down'},
	{action: 'pageUp', keys: ['pageup', 'ctrl+u'], label: 'A page up'},
	{action: 'pageDown', keys: ['pagedown', 'ctrl+d'], label: 'A page down'},
	{action: 'first', keys: ['g', 'home'], label: 'To the top'},
	{action: 'last', keys: ['G', 'end'], label: 'To the end'},
] as const satisfies readonly Binding[];

/** Actions that move within a list, a text or a field: nobody looks for them in the palette. */
export const MOVEMENTS: ReadonlySet<string> = new Set([...list, ...editing, ...reading].map(({action}) => action));

export const keymap = {
	/** Reach everything, also from inside a text field or a dialog. */
	always: [
		{action: 'interrupt', keys: ['ctrl+c'], label: 'Cancel, or quit when pressed twice'},
		{action: 'redraw', keys: ['ctrl+l'], label: 'Draw the screen again'},
		{action: 'suspend', keys: ['ctrl+z'], label: 'To the shell; fg comes back'},
	],
	/** From every screen and text field, not from a dialog. */
	anywhere: [
		{action: 'servers', keys: ['alt+1'], label: 'Servers'},
		{action: 'compute', keys: ['alt+2'], label: 'Compute'},
		{action: 'environments', keys: ['alt+3'], label: 'Environments'},
		{action: 'files', keys: ['alt+4'], label: 'Files'},
		{action: 'repl', keys: ['alt+5'], label: 'REPL'},
		{action: 'assistant', keys: ['alt+6'], label: 'Assistant'},
		{action: 'nextPane', keys: ['tab'], label: 'Next pane'},
		{action: 'previousPane', keys: ['shift+tab'], label: 'Previous pane'},
		{action: 'dockAssistant', keys: ['ctrl+x c'], label: 'dock assistant'},
		{action: 'dockRepl', keys: ['ctrl+x r'], label: 'dock REPL'},
		{action: 'dockFiles', keys: ['ctrl+x f'], label: 'dock files'},
		{action: 'zoom', keys: ['ctrl+x z'], label: 'zoom the pane'},
		{action: 'palette', keys: ['ctrl+p'], label: 'every action'},
		{action: 'commandLine', keys: ['ctrl+x :'], label: 'command'},
		{action: 'profiles', keys: ['ctrl+x p'], label: 'profiles'},
		{action: 'signIn', keys: ['ctrl+x l'], label: 'sign in'},
		{action: 'messages', keys: ['ctrl+x n'], label: 'messages'},
		{action: 'requests', keys: ['ctrl+x q'], label: 'requests'},
		{action: 'help', keys: ['ctrl+x ?', 'alt+?'], label: 'help'},
	],
	/** Single letters: wherever no text is being typed. */
	global: [
		{action: 'servers', keys: ['1'], label: 'Servers'},
		{action: 'compute', keys: ['2'], label: 'Compute'},
		{action: 'environments', keys: ['3'], label: 'Environments'},
		{action: 'files', keys: ['4'], label: 'Files'},
		{action: 'repl', keys: ['5'], label: 'REPL'},
		{action: 'assistant', keys: ['6'], label: 'Assistant'},
		{action: 'palette', keys: ['ctrl+p'], label: 'every action'},
		{action: 'commandLine', keys: [':'], label: 'command', hint: true},
		{action: 'zoom', keys: ['z'], label: 'zoom the pane'},
		{action: 'lastView', keys: ['-'], label: 'The screen before'},
		{action: 'profiles', keys: ['0'], label: 'profiles'},
		{action: 'signIn', keys: ['ctrl+x l'], label: 'sign in'},
		{action: 'refresh', keys: ['R'], label: 'Ask the service again'},
		{action: 'help', keys: ['?'], label: 'help', hint: true},
		{action: 'back', keys: ['esc'], label: 'Back'},
		{action: 'quit', keys: ['q'], label: 'Quit'},
	],
	/** The field behind `/` of a list. */
	filter: [
		{action: 'accept', keys: ['enter'], label: 'to the list', hint: true},
		{action: 'up', keys: ['up'], label: 'Move up'},
		{action: 'down', keys: ['down'], label: 'Move down'},
		{action: 'pageUp', keys: ['pageup'], label: 'A page up'},
		{action: 'pageDown', keys: ['pagedown'], label: 'A page down'},
		...line,
		{action: 'leave', keys: ['esc'], label: 'leave the filter'},
	],
	servers: [
		...list,
		{action: 'open', keys: ['enter'], label: 'open', hint: true},
		{action: 'start', keys: ['s'], label: 'start', hint: true, writes: true},
		{action: 'create', keys: ['c'], label: 'create', hint: true, writes: true},
		...filtered,
		{action: 'detail', keys: ['i'], label: 'details', hint: true},
		{action: 'addresses', keys: ['o'], label: 'addresses', hint: true},
		{action: 'copy', keys: ['y'], label: 'Copy the address'},
		{action: 'copyWithToken', keys: ['Y'], label: 'Copy the address with its token'},
		{action: 'duplicate', keys: ['d'], label: 'Another one like it', writes: true},
		...sorted,
	],
	compute: [
		...list,
		{action: 'create', keys: ['c'], label: 'create with it', hint: true, writes: true},
		{action: 'filter', keys: ['/'], label: 'query', hint: true},
		{action: 'regions', keys: ['r'], label: 'regions', hint: true},
		{action: 'gpu', keys: ['m'], label: 'GPU model', hint: true},
		{action: 'available', keys: ['a'], label: 'available only', hint: true},
		{action: 'minGpus', keys: ['n'], label: 'How many GPUs at least'},
		{action: 'minVram', keys: ['v'], label: 'VRAM per GPU at least'},
		{action: 'maxPrice', keys: ['p'], label: 'Price at most'},
		{action: 'host', keys: ['h'], label: 'Host'},
		{action: 'removeLast', keys: ['u'], label: 'Take the last part of the filter away'},
		{action: 'showAll', keys: ['U'], label: 'No filter'},
		...sorted,
		{action: 'group', keys: ['b'], label: 'Group by GPU, by region, by host, or not'},
		{action: 'open', keys: ['enter'], label: 'Create with it; unfold or fold a group'},
		{action: 'mark', keys: ['space'], label: 'Mark it for comparing'},
		{action: 'compare', keys: ['C'], label: 'Compare the marked side by side'},
		{action: 'watch', keys: ['w'], label: 'Watch for its GPU in the regions chosen'},
		{action: 'changes', keys: ['d'], label: 'What the last refresh changed'},
	],
	environments: [
		...list,
		{action: 'create', keys: ['enter', 'c'], label: 'create with it', hint: true, writes: true},
		{action: 'scrollDown', keys: ['J', 'shift+down'], label: 'Scroll the description on'},
		{action: 'scrollUp', keys: ['K', 'shift+up'], label: 'Scroll the description back'},
		...filtered,
	],
	/** Files, REPL or assistant of a server that is not ready. */
	offline: [
		{action: 'start', keys: ['s'], label: 'start the server', hint: true, writes: true},
	],
	tree: [
		...list,
		{action: 'open', keys: ['enter', 'right', 'l'], label: 'open', hint: true},
		{action: 'fold', keys: ['left', 'h'], label: 'Fold the folder'},
		{action: 'edit', keys: ['e'], label: 'edit', hint: true, writes: true},
		{action: 'add', keys: ['a'], label: 'new file', hint: true, writes: true},
		{action: 'path', keys: ['p'], label: 'go to a path', hint: true},
		...filtered,
		{action: 'hidden', keys: ['.'], label: 'Hidden files'},
		{action: 'attach', keys: ['@'], label: 'Put the file into the chat'},
		{action: 'copyPath', keys: ['y'], label: 'Copy the path'},
		{action: 'listByCode', keys: ['L'], label: 'List files by code'},
		{action: 'upload', keys: ['u'], label: 'upload', hint: true, writes: true},
		{action: 'download', keys: ['d'], label: 'download'},
	],
	viewer: [
		...reading,
		{action: 'left', keys: ['left', 'h'], label: 'Scroll left'},
		{action: 'right', keys: ['right', 'l'], label: 'Scroll right'},
		{action: 'find', keys: ['/'], label: 'find', hint: true},
		{action: 'nextMatch', keys: ['n'], label: 'Next match'},
		{action: 'previousMatch', keys: ['N'], label: 'Match before'},
		{action: 'wrap', keys: ['w'], label: 'wrap', hint: true},
		{action: 'raw', keys: ['v'], label: 'As it is, or laid out'},
		{action: 'foldMore', keys: ['['], label: 'Notebook: the code above. JSON: fold a level'},
		{action: 'foldLess', keys: [']'], label: 'Notebook: the code below. JSON: unfold a level'},
		{action: 'mark', keys: ['space', 'm'], label: 'mark lines', hint: true},
		{action: 'edit', keys: ['e'], label: 'edit', hint: true, writes: true},
		{action: 'attach', keys: ['@'], label: 'into the chat', hint: true},
		{action: 'run', keys: ['x'], label: 'Run the file, or the notebook\'s cell, in the REPL', writes: true},
		{action: 'runAll', keys: ['X'], label: 'Run the whole notebook', writes: true},
		{action: 'copy', keys: ['y'], label: 'Copy the file'},
		{action: 'path', keys: ['p'], label: 'Go to a path'},
		{action: 'undo', keys: ['u'], label: 'Take the last write back', writes: true},
		{action: 'compare', keys: ['D'], label: 'Compare with the server'},
		{action: 'tree', keys: ['esc'], label: 'to the tree'},
	],
	/** Lines that are being marked in the viewer. */
	marks: [
		...reading,
		{action: 'copy', keys: ['y'], label: 'copy', hint: true},
		{action: 'attach', keys: ['@'], label: 'into the chat', hint: true},
		{action: 'run', keys: ['x'], label: 'run', hint: true, writes: true},
		{action: 'leave', keys: ['esc', 'space', 'm'], label: 'mark nothing'},
	],
	/** The field behind `/` of the viewer. */
	find: [
		{action: 'accept', keys: ['enter'], label: 'to the text', hint: true},
		{action: 'nextMatch', keys: ['down', 'ctrl+n'], label: 'next match', hint: true},
		{action: 'previousMatch', keys: ['up'], label: 'match before', hint: true},
		...line,
		{action: 'leave', keys: ['esc'], label: 'back to where it began'},
	],
	repl: [
		{action: 'run', keys: ['enter'], label: 'run', hint: true, writes: true},
		...editing,
		{action: 'complete', keys: ['tab'], label: 'Complete the name, else next pane'},
		{action: 'search', keys: ['ctrl+r'], label: 'earlier code', hint: true},
		{action: 'editor', keys: ['ctrl+x e'], label: 'your editor'},
		{action: 'read', keys: ['ctrl+x ['], label: 'read the cells, also while one runs'},
		{action: 'leave', keys: ['esc'], label: 'read the cells'},
	],
	cells: [
		...reading,
		{action: 'previous', keys: ['['], label: 'Cell above'},
		{action: 'next', keys: [']'], label: 'Cell below'},
		{action: 'edit', keys: ['enter', 'i'], label: 'type code', hint: true},
		{action: 'fold', keys: ['space'], label: 'fold', hint: true},
		{action: 'explain', keys: ['E'], label: 'explain the error', hint: true},
		{action: 'find', keys: ['/'], label: 'find', hint: true},
		{action: 'copySource', keys: ['y'], label: 'copy the code', hint: true},
		{action: 'copyOutput', keys: ['Y'], label: 'Copy the output'},
		{action: 'change', keys: ['e'], label: 'Edit it and run it again'},
		{action: 'again', keys: ['r'], label: 'Run it again', writes: true},
		{action: 'allAbove', keys: ['A'], label: 'Run all above it again', writes: true},
		{action: 'place', keys: ['o'], label: 'Open the file and line that it names'},
		{action: 'pager', keys: ['v'], label: 'Its output in your editor'},
		{action: 'drop', keys: ['x'], label: 'Take it out of the queue'},
		{action: 'findNext', keys: ['n'], label: 'Next place found'},
		{action: 'findPrevious', keys: ['N'], label: 'Place found before'},
		{action: 'save', keys: ['s'], label: 'Write the session to a file'},
	],
	/** The field behind `/` of the cells. */
	cellFind: [
		{action: 'accept', keys: ['enter'], label: 'find', hint: true},
		...line,
		{action: 'leave', keys: ['esc'], label: 'leave the search'},
	],
	assistant: [
		{action: 'send', keys: ['enter'], label: 'send', hint: true},
		...editing,
		{action: 'model', keys: ['ctrl+x m'], label: 'model', hint: true},
		{action: 'compare', keys: ['ctrl+x a'], label: 'ask several models'},
		{action: 'tray', keys: ['ctrl+x t'], label: 'what goes with it'},
		{action: 'conversations', keys: ['ctrl+x h'], label: 'conversations'},
		{action: 'fold', keys: ['ctrl+o'], label: 'Open a pasted text, or fold it'},
		{action: 'external', keys: ['ctrl+x e', 'ctrl+x ctrl+e'], label: 'edit in $EDITOR'},
		{action: 'leave', keys: ['esc'], label: 'read the answers'},
	],
	/** What can stand where something is typed behind `@` or `/`; above the assistant's field. */
	suggest: [
		{action: 'accept', keys: ['enter'], label: 'take it', hint: true},
		{action: 'complete', keys: ['tab'], label: 'complete', hint: true},
		{action: 'up', keys: ['up', 'ctrl+p'], label: 'Suggestion above'},
		{action: 'down', keys: ['down', 'ctrl+n'], label: 'Suggestion below'},
		{action: 'close', keys: ['esc'], label: 'no suggestions'},
	],
	turns: [
		...reading,
		{action: 'edit', keys: ['enter', 'i'], label: 'ask', hint: true},
		{action: 'previousBlock', keys: ['['], label: 'Code block before'},
		{action: 'nextBlock', keys: [']'], label: 'Next code block'},
		{action: 'copyBlock', keys: ['y'], label: 'copy', hint: true},
		{action: 'runBlock', keys: ['r'], label: 'run', hint: true, writes: true},
		{action: 'writeBlock', keys: ['w'], label: 'write', hint: true, writes: true},
		{action: 'putBlock', keys: ['a'], label: 'put into the REPL'},
		{action: 'copyAnswer', keys: ['Y'], label: 'Copy the last answer'},
		{action: 'raw', keys: ['M'], label: 'Markdown as it was sent, or laid out'},
		{action: 'retry', keys: ['R'], label: 'ask again', hint: true},
		{action: 'retryWith', keys: ['O'], label: 'Ask again with another model'},
		{action: 'compare', keys: ['C', 'ctrl+x a'], label: 'Ask several models the same'},
		{action: 'editQuestion', keys: ['e'], label: 'Edit the last question'},
		{action: 'model', keys: ['m', 'ctrl+x m'], label: 'model'},
		{action: 'tray', keys: ['t', 'ctrl+x t'], label: 'what goes with the next question'},
		{action: 'conversations', keys: ['c', 'ctrl+x h'], label: 'conversations'},
		{action: 'place', keys: ['o'], label: 'Open a file that the answers name'},
		{action: 'find', keys: ['/'], label: 'Find in the conversation'},
		{action: 'findNext', keys: ['n'], label: 'Next place found'},
		{action: 'findPrevious', keys: ['N'], label: 'Place found before'},
	],
	/** Answers of several models to the same question, in place of the conversation. */
	comparison: [
		...reading,
		{action: 'left', keys: ['left', 'h'], label: 'Answer before'},
		{action: 'right', keys: ['right', 'l'], label: 'next answer', hint: true},
		{action: 'adopt', keys: ['enter'], label: 'go on with this one', hint: true},
		{action: 'copyAnswer', keys: ['y'], label: 'copy', hint: true},
		{action: 'leave', keys: ['esc'], label: 'take none'},
	],
	/** The models that are asked the same. */
	models: [
		...list,
		{action: 'mark', keys: ['space'], label: 'mark', hint: true},
		{action: 'accept', keys: ['enter'], label: 'ask the marked', hint: true},
		{action: 'close', keys: ['esc'], label: 'close'},
	],
	/** A file that is to be moved and is there already. */
	overwrite: [
		{action: 'one', keys: ['o'], label: 'overwrite', hint: true},
		{action: 'all', keys: ['a'], label: 'overwrite all', hint: true},
		{action: 'skip', keys: ['s'], label: 'leave it', hint: true},
		{action: 'skipAll', keys: ['n'], label: 'leave all', hint: true},
		{action: 'stop', keys: ['esc'], label: 'stop'},
	],
	/** What would be written to a file. */
	writing: [
		...reading,
		{action: 'save', keys: ['y'], label: 'save', hint: true, writes: true},
		{action: 'edit', keys: ['e'], label: 'edit again', hint: true},
		{action: 'close', keys: ['esc'], label: 'do not save'},
	],
	/** A file that another has changed since it was read. */
	conflict: [
		...reading,
		{action: 'mine', keys: ['m'], label: 'keep mine', hint: true, writes: true},
		{action: 'theirs', keys: ['t'], label: 'keep theirs', hint: true},
		{action: 'edit', keys: ['e'], label: 'edit again', hint: true},
		{action: 'other', keys: ['tab'], label: 'the other difference', hint: true},
		{action: 'close', keys: ['esc'], label: 'do not save'},
	],
	/** What was written in an editor and not saved. */
	keptEdit: [
		...reading,
		{action: 'takeUp', keys: ['y'], label: 'go on with it', hint: true},
		{action: 'fresh', keys: ['e'], label: 'edit the file as it is', hint: true, writes: true},
		{action: 'discard', keys: ['x'], label: 'discard it', hint: true},
		{action: 'close', keys: ['esc'], label: 'leave it'},
	],
	/** All that would be sent. */
	packet: [
		...reading,
		{action: 'send', keys: ['y'], label: 'yes', hint: true},
		{action: 'close', keys: ['esc', 'n'], label: 'no'},
	],
	confirm: [
		{action: 'yes', keys: ['y'], label: 'yes', hint: true},
		{action: 'no', keys: ['esc', 'n'], label: 'no', hint: true},
	],
	/** The end of a form: beside `confirm`. */
	review: [
		{action: 'change', keys: ['e'], label: 'change something', hint: true},
	],
	/** The addresses of a server. */
	addresses: [
		{action: 'up', keys: ['up', 'k'], label: 'Move up'},
		{action: 'down', keys: ['down', 'j'], label: 'Move down'},
		{action: 'open', keys: ['enter', 'o'], label: 'open', hint: true},
		{action: 'copy', keys: ['y'], label: 'copy', hint: true},
		{action: 'copyWithToken', keys: ['Y'], label: 'copy with the token', hint: true},
		{action: 'close', keys: ['esc', 'q'], label: 'close'},
	],
	/** A dialog that is only read. */
	reader: [
		...reading,
		{action: 'close', keys: ['esc', 'q', 'i'], label: 'close'},
	],
	told: [
		{action: 'close', keys: ['esc', 'enter'], label: 'close', hint: true},
	],
	form: [
		{action: 'accept', keys: ['enter'], label: 'next', hint: true},
		{action: 'next', keys: ['tab'], label: 'next field', hint: true},
		{action: 'previous', keys: ['shift+tab'], label: 'field before', hint: true},
		{action: 'earlier', keys: ['up'], label: 'Up in the list, or the field before'},
		{action: 'later', keys: ['down'], label: 'list or next field', hint: true},
		{action: 'pageUp', keys: ['pageup'], label: 'A page up in the list'},
		{action: 'pageDown', keys: ['pagedown'], label: 'A page down in the list'},
		...line,
		{action: 'cancel', keys: ['esc'], label: 'close the form'},
	],
	picker: [
		...list,
		{action: 'toggle', keys: ['space', 'enter'], label: 'choose', hint: true},
		{action: 'none', keys: ['U'], label: 'choose none', hint: true},
		{action: 'close', keys: ['esc'], label: 'done'},
	],
	/** A table in a box: offers side by side, changes. */
	table: [
		...reading,
		{action: 'left', keys: ['left', 'h'], label: 'Columns before'},
		{action: 'right', keys: ['right', 'l'], label: 'Columns behind'},
		{action: 'close', keys: ['esc', 'q', 'enter'], label: 'close'},
	],
	/** A field and the list of what fits it: palette, command line, help, messages. */
	chooser: [
		{action: 'accept', keys: ['enter'], label: 'take it', hint: true},
		{action: 'complete', keys: ['tab'], label: 'complete', hint: true},
		{action: 'up', keys: ['up', 'ctrl+p'], label: 'Move up'},
		{action: 'down', keys: ['down', 'ctrl+n'], label: 'Move down'},
		{action: 'pageUp', keys: ['pageup'], label: 'A page up'},
		{action: 'pageDown', keys: ['pagedown'], label: 'A page down'},
		...line,
		{action: 'close', keys: ['esc'], label: 'close'},
	],
	/** Address, name and key of a service. */
	signIn: [
		{action: 'accept', keys: ['enter'], label: 'next', hint: true},
		{action: 'next', keys: ['tab', 'down'], label: 'next field', hint: true},
		{action: 'previous', keys: ['shift+tab', 'up'], label: 'field before', hint: true},
		...line,
		{action: 'cancel', keys: ['esc'], label: 'close the form'},
	],
	/** Calls to the service. */
	requests: [
		...list,
		{action: 'copy', keys: ['c', 'y'], label: 'copy as curl', hint: true},
		{action: 'cancel', keys: ['x'], label: 'cancel the call', hint: true},
		{action: 'close', keys: ['esc', 'q'], label: 'close'},
	],
} as const satisfies Record<string, readonly Binding[]>;

export type Scope = keyof typeof keymap;
export type Action<S extends Scope> = (typeof keymap)[S][number]['action'];
