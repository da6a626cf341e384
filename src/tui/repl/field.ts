import {runningCell} from '../cells/cell.ts';
import type {CodeField} from '../cells/help/code-field.ts';
import {placeOf} from './layout.ts';
import {replOf} from './transcript.ts';
import {replSession} from './session.ts';

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
			// A cell that waits for input replaces the prompt with its input field.
			asks === null;
		return isThere ? draft : null;
	},
	put: (state, draft) => replSession(state.app).changeRepl(server, {draft}),
	kernel(state) {
		const repl = replOf(state, server);
		return {document: {kind: 'repl', kernel: repl.kernel}, isBusy: runningCell(repl) !== undefined};
	},
	sources: state => replOf(state, server).history,
	room: (state, rect) => placeOf(() => state, server, rect).room,
});
