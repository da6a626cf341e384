import type {KeyContext} from '../core/feature.ts';
import {actionsOf, type KeyScopes} from '../core/keys/action.ts';
import {line, lines, list} from '../core/keys/binding-sets.ts';
import {accessTo, type NotebookAccess} from './access.ts';
import {cellEffects} from './cell-keys.ts';
import {editEffects} from './edit-keys.ts';
import {findEffects, findFieldEffects} from './find-keys.ts';
import {inputEffects} from './input-keys.ts';
import {moveEffects, noCells} from './move-keys.ts';
import {cellAt, markedCells} from './open-notebook.ts';
import {outputEffects} from './output-keys.ts';
import {runEffects} from './run-keys.ts';
import {saveEffects} from './save-keys.ts';

const notebookEffects = (access: NotebookAccess) => ({
	...moveEffects(access),
	edit: access.withOpen(open => (cellAt(open) === undefined ? noCells() : access.edit())),
	...runEffects(access),
	...saveEffects(access),
	...cellEffects(access),
	...outputEffects(access),
	...findEffects(access),
});

/** Label of a key while cells are marked; undefined, for the usual label, if no cell is marked. */
const withMarks =
	(label: string) =>
	(at: KeyContext): string | undefined =>
		markedCells(accessTo(at).now() ?? NO_CELLS).length > 0 ? label : undefined;
const NO_CELLS = {notebook: {cells: []}, marks: null};

/** Keys of an edited notebook: Jupyter's keys, where a terminal can send them. */
export const notebookKeys: KeyScopes = {
	notebook: {
		where: 'notebook, cell by cell',
		name: 'Notebook',
		screen: 'files',
		part: 'viewer',
		isPassing: true,
		actions: actionsOf(
			{
				...list,
				left: {keys: ['left', 'h'], label: 'Wide table: columns to the left'},
				right: {keys: ['right', 'l'], label: 'Wide table: columns to the right'},
				edit: {keys: ['enter'], label: 'edit', hint: true},
				runNext: {
					keys: ['r', 'shift+enter', 'space enter'],
					label: 'run',
					hint: true,
					writes: true,
					now: withMarks('run marked'),
				},
				run: {keys: ['space x', 'ctrl+enter'], label: 'Run the cell and stay', writes: true},
				runInsert: {keys: ['alt+enter'], label: 'Run the cell and add one below', writes: true},
				save: {keys: ['s', 'space s'], label: 'save', hint: true, writes: true},
				addAbove: {keys: ['a'], label: 'Add a cell above'},
				addBelow: {keys: ['b'], label: 'add below', hint: true},
				cut: {keys: ['x'], label: 'Cut the cell'},
				copyCell: {keys: ['c'], label: 'Copy the cell, to paste here or in another notebook'},
				paste: {keys: ['v'], label: 'Paste below', also: 'insert cut copied cell'},
				remove: {keys: ['d d', 'delete'], label: 'delete', hint: true, now: withMarks('delete marked')},
				undo: {keys: ['u', 'ctrl+_'], label: 'undo', hint: true},
				runAll: {keys: ['A', 'space A'], label: 'Run all', writes: true},
				runAbove: {keys: ['space k <'], was: ['<'], label: 'Run all above', writes: true},
				runBelow: {keys: ['space k >'], was: ['>'], label: 'Run the cell and all below', writes: true},
				stop: {keys: ['i i', 'space .', 'space k i'], label: 'Stop what runs', also: 'interrupt'},
				kernel: {keys: ['ctrl+k', 'space k k'], label: 'Choose the kernel'},
				restart: {keys: ['0 0', 'space k r'], label: 'Restart the kernel', writes: true},
				restartRunAll: {
					keys: ['space k a'],
					was: ['ctrl+x a'],
					label: 'Restart the kernel and run all',
					writes: true,
				},
				markUp: {keys: ['shift+up', 'K'], label: 'Mark cells upward'},
				markDown: {keys: ['shift+down', 'J'], label: 'Mark cells downward'},
				moveUp: {keys: ['alt+up', 'ctrl+x up'], label: 'Move the cell up'},
				moveDown: {keys: ['alt+down', 'ctrl+x down'], label: 'Move the cell down'},
				merge: {keys: ['M'], label: 'Merge the marked cells, or this cell and the next'},
				code: {keys: ['y'], label: 'Change the cell to code'},
				markdown: {keys: ['m'], label: 'Change the cell to Markdown'},
				raw: {keys: ['space W'], was: ['w'], label: 'Change the cell to raw text'},
				clear: {keys: ['ctrl+x backspace'], label: 'Clear the outputs of the cell'},
				clearAll: {keys: ['space C'], was: ['C'], label: 'Clear all outputs'},
				fold: {keys: ['F'], was: ['space'], label: 'Fold the outputs'},
				hide: {keys: ['o'], label: 'Hide or show the outputs'},
				place: {
					keys: ['space O'],
					was: ['ctrl+x o'],
					label: 'Open the figure in your browser, or the place that an error names',
				},
				attach: {keys: ['@', 'space @'], label: 'Ask about the cell'},
				explain: {keys: ['E'], label: 'Explain the error', writes: true},
				table: {keys: ['t'], label: 'Open the table'},
				variables: {keys: ['space v'], label: 'Variables of the kernel'},
				picture: {keys: ['P'], label: 'Open the picture'},
				savePicture: {keys: ['S'], label: 'Save the picture'},
				headings: {keys: ['#'], label: 'Headings', also: 'outline table of contents sections'},
				find: {keys: ['/'], label: 'find', hint: true},
				nextMatch: {keys: ['n'], label: 'Next match'},
				previousMatch: {keys: ['N'], label: 'Previous match'},
				editor: {keys: ['e', 'space e'], label: 'Edit the cell in your editor'},
				copy: {keys: ['Y'], label: 'Copy the text of the cell'},
				compare: {keys: ['D'], label: 'Show what saving changes'},
				text: {keys: ['V'], label: 'The file as text'},
				tree: {keys: ['esc'], label: 'tree', now: withMarks('clear the marks')},
			},
			at => notebookEffects(accessTo(at)),
		),
	},
	/** Keys of the cell that the user edits in the notebook itself. */
	notebookEdit: {
		where: 'notebook, typing in a cell',
		name: 'Notebook, typing',
		isText: true,
		isPassing: true,
		actions: actionsOf(
			{
				leave: {keys: ['esc'], label: 'done', hint: true},
				runNext: {keys: ['ctrl+x enter', 'shift+enter'], label: 'run', hint: true, writes: true},
				run: {keys: ['ctrl+x x', 'ctrl+enter'], label: 'Run the cell and stay', writes: true},
				runInsert: {keys: ['alt+enter'], label: 'Run the cell and add one below', writes: true},
				split: {keys: ['ctrl+x -'], label: 'split here', hint: true},
				editor: {keys: ['ctrl+x e'], label: 'your editor', hint: true},
				save: {keys: ['ctrl+s', 'ctrl+x s'], label: 'save', hint: true, writes: true},
				newline: {keys: ['enter', 'ctrl+j'], label: 'New line'},
				complete: {keys: ['tab'], label: 'Complete the name, or indent'},
				inspect: {
					keys: ['shift+tab'],
					label: 'Signature and documentation; previous pane from an empty line',
				},
				...lines,
				up: {keys: ['up'], label: 'Line up'},
				down: {keys: ['down'], label: 'Line down'},
				pageUp: {keys: ['pageup'], label: 'Page up'},
				pageDown: {keys: ['pagedown'], label: 'Page down'},
			},
			at => editEffects(accessTo(at), at.act),
		),
		typed: (at, text) => editEffects(accessTo(at), at.act).typed(text),
	},
	/** The field that answers `input()`. */
	notebookAnswer: {
		where: 'notebook, answering input()',
		name: 'Notebook, answering',
		isText: true,
		isPassing: true,
		actions: actionsOf(
			{
				answer: {keys: ['enter'], label: 'answer', hint: true, writes: true},
				...line,
				interrupt: {keys: ['esc'], label: 'interrupt the cell', hint: true},
			},
			at => inputEffects(accessTo(at)),
		),
		typed: (at, text) => inputEffects(accessTo(at)).typed(text),
	},
	/** The search field (`/`). */
	notebookFind: {
		where: 'finding in a notebook',
		name: 'Finding in the notebook',
		isText: true,
		isPassing: true,
		actions: actionsOf(
			{
				accept: {keys: ['enter', 'tab'], label: 'find', hint: true},
				...line,
				leave: {keys: ['esc'], label: 'leave the search'},
			},
			at => findFieldEffects(accessTo(at)),
		),
		typed: (at, text) => findFieldEffects(accessTo(at)).typed(text),
	},
};
