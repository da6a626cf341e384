import {line, list, reading, type Binding} from './binding-sets.ts';

/** Part of THE KEY TABLE: what opens above the screens. */
export const dialogKeys = {
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
