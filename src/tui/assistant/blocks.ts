import {createEditor} from '../../text/editor/editor.ts';
import {conversationAccess, type BlockPlace} from './conversation.ts';
import {replOf} from '../repl/transcript.ts';
import {indexOfKey, withSource} from '../../text/notebook/edit.ts';
import {label} from '../../text/safe.ts';
import {keyFor} from '../core/keys/live-keys.ts';
import {route} from '../core/store/route.ts';
import {keyOf, type ServerFile} from '../files/content.ts';
import {notebookList} from '../notebook/notebooks.ts';
import {asTyped, cellAt, notebookOn} from '../notebook/open-notebook.ts';
import {notebookOpening} from '../notebook/open.ts';
import {withoutEnd} from '../../text/ends.ts';
import {part, type App} from '../core/app.ts';
import {replSession} from '../repl/session.ts';

export type CodeBlocks = {
	/**
	 * Runs the code of a block on this server, and shows its result below the answer. Leaves text
	 * in the REPL's editor unchanged.
	 */
	runBlock(server: string, place: BlockPlace, code: string): void;
	/** Appends code to the text in the REPL's editor. */
	putIntoRepl(server: string, code: string): void;
	/** Adds code as a cell below the selected cell of the open notebook. */
	putIntoNotebook(server: string, code: string): void;
	/**
	 * Shows code as a change of the selected cell of the open notebook. If it fails, returns the
	 * reason.
	 */
	showCellChange(server: string, code: string): string | void;
	/**
	 * Replaces the source of a cell; one undo step reverts it. Returns a sentence about the
	 * outcome.
	 */
	changeCell(change: CellChange): string;
};

/** Code that would replace the source of a notebook's cell. */
export type CellChange = {readonly file: ServerFile; readonly key: number; readonly code: string};

export const codeBlocks = part('codeBlocks', ({get, set}: App): CodeBlocks => {
	const {changeTurn} = conversationAccess(set, get);
	return {
		putIntoNotebook(server, code) {
			void notebookOpening(get).putInNotebook(server, [{kind: 'code', source: withoutEnd(code, '\n')}]);
		},
		showCellChange(server, code) {
			const open = notebookOn(get(), server);
			if (open === undefined)
				return `No notebook is open on ${label(server, 60)}: :file opens one, and ${keyFor('turns.writeBlock')} writes the code to a file`;
			const cell = cellAt({notebook: asTyped(open), at: open.at});
			if (cell === undefined) return codeBlocks(get).putIntoNotebook(server, code);
			const source = withoutEnd(code, '\n');
			if (cell.source === source) return 'The selected cell has this code already';
			const file = {server, path: open.path};
			route(get).openDialog({kind: 'cell-change', change: {file, key: cell.key, code: source}});
		},
		changeCell({file, key, code}) {
			const open = get().notebooks.get(keyOf(file));
			const number = open === undefined ? 0 : indexOfKey(open.notebook, key) + 1;
			if (number === 0) return 'This cell is gone: nothing was changed';
			notebookList(get).changeNotebook(file, now => (now.at === key ? {editing: null} : {}));
			notebookList(get).workNotebook(file, notebook => ({
				notebook: withSource(notebook, key, code),
				at: key,
			}));
			return `Cell ${number} of ${label(file.path, 200)} is changed, not saved yet: ${keyFor('notebook.undo')} there undoes it`;
		},
		runBlock(server, {turn, block}, code) {
			const {draft} = replOf(get(), server);
			replSession(get).runCell(server, withoutEnd(code, '\n'));
			replSession(get).changeRepl(server, {draft});
			const cell = replOf(get(), server).cells.at(-1);
			if (cell !== undefined)
				changeTurn(server, turn, ({runs}) => ({runs: [...runs, {block, cell: cell.id}]}));
		},
		putIntoRepl(server, code) {
			const {text} = replOf(get(), server).draft;
			const added = withoutEnd(code, '\n');
			replSession(get).changeRepl(server, {
				draft: createEditor(text.trim() === '' ? added : `${withoutEnd(text, '\n')}\n${added}`),
			});
		},
	};
});
