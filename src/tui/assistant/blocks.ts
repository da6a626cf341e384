import {createEditor} from '../../text/editor/editor.ts';
import {conversationAccess, type BlockPlace} from './conversation.ts';
import {replOf} from '../repl/transcript.ts';
import {withoutEnd} from '../../text/ends.ts';
import {part, type App} from '../core/app.ts';
import {replSession} from '../repl/session.ts';

export type CodeBlocks = {
	/**
	 * Runs the code of a block on this server; the cell is linked below the answer. Text in the
	 * REPL stays.
	 */
	runBlock(server: string, place: BlockPlace, code: string): void;
	/** Appends code to the text in the REPL's editor. */
	putIntoRepl(server: string, code: string): void;
};

export const codeBlocks = part('codeBlocks', ({get, set}: App): CodeBlocks => {
	const {changeTurn} = conversationAccess(set, get);
	return {
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
