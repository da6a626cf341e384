import {editing, line, reading, type KeyScope, type Tab} from '../core/keys/binding-sets.ts';

export const replTab: Tab = {
	id: 'repl',
	title: 'REPL',
	jump: '5',
	pane: {name: 'REPL', sentence: 'The REPL', dock: 'ctrl+x r', part: 'repl'},
};

export const replKeys = {
	repl: {
		where: 'REPL, typing code',
		name: 'REPL',
		screen: 'repl',
		part: 'repl',
		isText: true,
		rows: [
			{action: 'run', keys: ['enter'], label: 'run', hint: true, writes: true},
			...editing,
			{action: 'complete', keys: ['tab'], label: 'Complete the name, indent; next pane from an empty field'},
			{
				action: 'inspect',
				keys: ['shift+tab'],
				label: 'Signature and documentation; previous pane from an empty field',
			},
			{action: 'search', keys: ['ctrl+r'], label: 'earlier code', also: 'history', hint: true},
			{action: 'editor', keys: ['ctrl+x e'], label: 'your editor'},
			{action: 'read', keys: ['ctrl+x ['], label: 'read the cells, even while one runs'},
			{action: 'leave', keys: ['esc'], label: 'read the cells'},
		],
	},
	cells: {
		where: 'REPL, reading',
		name: 'REPL, reading',
		screen: 'repl',
		part: 'cells',
		rows: [
			...reading,
			{action: 'previous', keys: ['['], label: 'Cell above'},
			{action: 'next', keys: [']'], label: 'Cell below'},
			{action: 'left', keys: ['left', 'h'], label: 'Its wide table: columns to the left'},
			{action: 'right', keys: ['right', 'l'], label: 'Its wide table: columns to the right'},
			{action: 'edit', keys: ['enter', 'i'], label: 'type code', hint: true},
			{action: 'fold', keys: ['space'], label: 'fold', hint: true},
			{action: 'explain', keys: ['E'], label: 'explain the error', hint: true, writes: true},
			{action: 'find', keys: ['/'], label: 'find', hint: true},
			{action: 'copySource', keys: ['y'], label: 'copy the code', hint: true},
			{action: 'copyOutput', keys: ['Y'], label: 'Copy the output'},
			{action: 'change', keys: ['e'], label: 'Edit it and run it again'},
			{action: 'again', keys: ['r'], label: 'Run it again', writes: true},
			{action: 'allAbove', keys: ['A'], label: 'Run all the cells above again', writes: true},
			{action: 'toNotebook', keys: ['w'], label: 'Put it into the open notebook'},
			{action: 'table', keys: ['t'], label: 'Open its table'},
			{action: 'picture', keys: ['P'], label: 'Open its picture'},
			{action: 'savePicture', keys: ['S'], label: 'Save its picture'},
			{
				action: 'place',
				keys: ['o'],
				label: 'Open the file and line it names; its picture in your picture viewer',
			},
			{action: 'pager', keys: ['v'], label: 'Open its output in your editor'},
			{action: 'drop', keys: ['x'], label: 'Remove it from the queue'},
			{action: 'findNext', keys: ['n'], label: 'Next match'},
			{action: 'findPrevious', keys: ['N'], label: 'Previous match'},
			{action: 'save', keys: ['s'], label: 'Write the session to a file', also: 'export notebook ipynb'},
			{action: 'restart', keys: ['ctrl+x k'], label: 'Restart the kernel', writes: true},
		],
	},
	/** The field that answers `input()`. */
	answer: {
		where: 'REPL, answering input()',
		name: 'REPL, answering',
		isText: true,
		isPassing: true,
		rows: [
			{action: 'answer', keys: ['enter'], label: 'answer', hint: true, writes: true},
			...line,
			{action: 'scrollUp', keys: ['pageup'], label: 'Scroll back'},
			{action: 'scrollDown', keys: ['pagedown'], label: 'Scroll forward'},
			{action: 'read', keys: ['ctrl+x ['], label: 'read the cells', hint: true},
			{action: 'interrupt', keys: ['esc'], label: 'interrupt the cell', also: 'stop'},
		],
	},
	/** The search field (`/`) of the cells. */
	cellFind: {
		where: 'finding in the cells',
		name: 'Finding in the cells',
		isText: true,
		isPassing: true,
		rows: [
			{action: 'accept', keys: ['enter', 'tab'], label: 'find', hint: true},
			...line,
			{action: 'leave', keys: ['esc'], label: 'leave the search'},
		],
	},
} as const satisfies Record<string, KeyScope>;
