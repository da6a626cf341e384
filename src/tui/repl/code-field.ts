import type {Editor} from '../../text/editor/editor.ts';
import type {Rect, State} from '../core/program.ts';
import {replOf, runningCell} from './cell.ts';
import {placeOf} from './layout.ts';

/** A field in which code is typed, whose kernel may be asked about it. */
export type CodeField = {
	readonly server: string;
	/** Path of the notebook that it is in; undefined: it is the REPL's. */
	readonly notebook?: string;
	/** What is typed there; null while the keys go elsewhere. */
	readonly typed: (state: State) => Editor | null;
	readonly put: (state: State, next: Editor) => void;
	readonly kernel: (state: State) => {readonly name: string; readonly isBusy: boolean};
	/** Looks up which kernel that is. A sentence: it has to be chosen before it can be asked. */
	readonly unchosen?: (state: State) => Promise<string | null>;
	/** Code whose names are offered where no kernel can be asked, the newest last. */
	readonly sources: (state: State) => readonly string[];
	/** Rows around it that the documentation may cover, in a pane of this size. */
	readonly room: (state: State, rect: Rect) => number;
};

/** The prompt of the REPL. */
export const replField = (server: string): CodeField => ({
	server,
	typed(state) {
		const {draft, asks} = replOf(state, server);
		const isThere =
			state.screen === 'repl' &&
			state.current === server &&
			state.paneFocus.repl === 'repl' &&
			state.dialogs.length === 0 &&
			// A cell that waits for a line has the place of the prompt.
			asks === null;
		return isThere ? draft : null;
	},
	put: (state, draft) => state.changeRepl(server, {draft}),
	kernel(state) {
		const repl = replOf(state, server);
		return {name: repl.kernel, isBusy: runningCell(repl) !== undefined};
	},
	sources: state => replOf(state, server).history,
	room: (state, rect) => placeOf(() => state, server, rect).room,
});
