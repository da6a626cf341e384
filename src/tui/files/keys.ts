import {filtered, line, list, reading, type KeyScope, type Tab} from '../core/keys/binding-sets.ts';

export const filesTab: Tab = {
	id: 'files',
	title: 'Files',
	jump: '4',
	pane: {name: 'files', sentence: 'Files', dock: 'ctrl+x f', part: 'tree'},
};

export const fileKeys = {
	tree: {
		where: 'file tree',
		name: 'Files',
		screen: 'files',
		part: 'tree',
		rows: [
			...list,
			{action: 'open', keys: ['enter', 'right', 'l'], label: 'open', hint: true},
			{action: 'fold', keys: ['left', 'h'], label: 'Collapse the folder'},
			{action: 'edit', keys: ['e'], label: 'edit', hint: true, writes: true},
			{action: 'add', keys: ['a'], label: 'new file', hint: true, writes: true},
			{action: 'path', keys: ['p'], label: 'go to a path', hint: true},
			...filtered,
			{action: 'hidden', keys: ['.'], label: 'Show or hide hidden files'},
			{action: 'attach', keys: ['@'], label: 'Add the file to the chat'},
			{action: 'copyPath', keys: ['y'], label: 'Copy the path'},
			{action: 'listByCode', keys: ['L'], label: 'List files by code', writes: true},
			{action: 'upload', keys: ['u'], label: 'upload', also: 'put send', hint: true, writes: true},
			{action: 'download', keys: ['d'], label: 'download', also: 'get fetch'},
			{action: 'move', keys: ['m'], label: 'Rename or move', also: 'mv', writes: true},
			{action: 'makeFolder', keys: ['+'], label: 'New folder', also: 'mkdir directory', writes: true},
			{action: 'remove', keys: ['D', 'delete'], label: 'Delete', also: 'rm', writes: true},
		],
	},
	viewer: {
		where: 'file viewer',
		name: 'File viewer',
		screen: 'files',
		part: 'viewer',
		rows: [
			...reading,
			{action: 'work', keys: ['enter'], label: 'Work in the notebook', writes: true},
			{action: 'left', keys: ['left', 'h'], label: 'Scroll left'},
			{action: 'right', keys: ['right', 'l'], label: 'Scroll right'},
			{action: 'find', keys: ['/'], label: 'find', hint: true},
			{action: 'nextMatch', keys: ['n'], label: 'Next match'},
			{action: 'previousMatch', keys: ['N'], label: 'Previous match'},
			{action: 'wrap', keys: ['w'], label: 'wrap', hint: true},
			{action: 'raw', keys: ['v'], label: 'Raw or formatted'},
			{action: 'table', keys: ['t'], label: 'Open the table'},
			{action: 'picture', keys: ['P'], label: 'Open the picture'},
			{action: 'outside', keys: ['o'], label: 'Open the picture in your picture viewer'},
			{action: 'savePicture', keys: ['S'], label: 'Save the picture'},
			{action: 'foldMore', keys: ['['], label: 'Notebook: the code above. JSON: fold a level'},
			{action: 'foldLess', keys: [']'], label: 'Notebook: the code below. JSON: unfold a level'},
			{action: 'mark', keys: ['space', 'm'], label: 'mark lines', hint: true},
			{action: 'edit', keys: ['e'], label: 'edit', hint: true, writes: true},
			{action: 'attach', keys: ['@'], label: 'add to the chat', hint: true},
			{action: 'run', keys: ['r'], label: "Run the file, or the notebook's cell, in the REPL", writes: true},
			{action: 'runAll', keys: ['A'], label: 'Run the whole notebook', writes: true},
			{action: 'copy', keys: ['y'], label: 'Copy the file'},
			{action: 'path', keys: ['p'], label: 'Go to a path'},
			{action: 'undo', keys: ['ctrl+_'], label: 'Undo last write', writes: true},
			{action: 'compare', keys: ['D'], label: 'Compare with the server'},
			{action: 'tree', keys: ['esc'], label: 'back to the tree'},
		],
	},
	/** Lines that are being marked in the viewer. */
	marks: {
		where: 'marked lines',
		name: 'Marked lines',
		isPassing: true,
		rows: [
			...reading,
			{action: 'copy', keys: ['y'], label: 'copy', hint: true},
			{action: 'attach', keys: ['@'], label: 'add to the chat', hint: true},
			{action: 'run', keys: ['r'], label: 'run', hint: true, writes: true},
			{action: 'leave', keys: ['esc', 'space', 'm'], label: 'clear the marks'},
		],
	},
	/** The search field (`/`) of the viewer. */
	find: {
		where: 'find in a file',
		name: 'Find in the file',
		isText: true,
		isPassing: true,
		rows: [
			{action: 'accept', keys: ['enter', 'tab'], label: 'to the text', hint: true},
			{action: 'nextMatch', keys: ['down', 'ctrl+n'], label: 'next match', hint: true},
			{action: 'previousMatch', keys: ['up'], label: 'previous match', hint: true},
			...line,
			{action: 'leave', keys: ['esc'], label: 'back to where you were'},
		],
	},
	/** A transfer to a path that already exists. */
	overwrite: {
		where: 'a file that already exists',
		isDialog: true,
		rows: [
			{action: 'up', keys: ['up', 'k'], label: 'Move up'},
			{action: 'down', keys: ['down', 'j'], label: 'Move down'},
			{action: 'accept', keys: ['enter'], label: 'choose'},
			{action: 'one', keys: ['o'], label: 'overwrite', hint: true},
			{action: 'all', keys: ['a'], label: 'overwrite all', hint: true},
			{action: 'skip', keys: ['s'], label: 'skip', hint: true},
			{action: 'skipAll', keys: ['n'], label: 'skip all', hint: true},
			{action: 'stop', keys: ['esc'], label: 'stop'},
		],
	},
	/** Changes that would be written to a file. */
	writing: {
		where: 'changes to save',
		isDialog: true,
		rows: [
			...reading,
			{action: 'save', keys: ['y'], label: 'save', hint: true, writes: true},
			{action: 'edit', keys: ['e'], label: 'edit again', hint: true},
			{action: 'close', keys: ['esc'], label: 'do not save'},
		],
	},
	/** A file that someone else has changed since it was read. */
	conflict: {
		where: 'a file that someone else changed',
		isDialog: true,
		rows: [
			...reading,
			// Arrow keys scroll the difference.
			{action: 'previous', keys: ['left', 'shift+up'], label: 'Previous choice'},
			{action: 'next', keys: ['right', 'shift+down'], label: 'Next choice'},
			{action: 'accept', keys: ['enter'], label: 'choose'},
			{action: 'mine', keys: ['m'], label: 'keep mine', hint: true, writes: true},
			{action: 'theirs', keys: ['t'], label: 'keep theirs', hint: true},
			{action: 'edit', keys: ['e'], label: 'edit again', hint: true},
			{action: 'other', keys: ['tab'], label: 'other difference', hint: true},
			{action: 'close', keys: ['esc'], label: 'do not save'},
		],
	},
	/** Text from an editor that was not saved. */
	keptEdit: {
		where: 'unsaved edits',
		isDialog: true,
		rows: [
			...reading,
			{action: 'takeUp', keys: ['y'], label: 'continue editing', hint: true},
			{action: 'fresh', keys: ['e'], label: 'edit the saved file', hint: true, writes: true},
			{action: 'discard', keys: ['x'], label: 'discard it', hint: true},
			{action: 'close', keys: ['esc'], label: 'close'},
		],
	},
} as const satisfies Record<string, KeyScope>;
