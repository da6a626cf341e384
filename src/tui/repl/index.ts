import {screen} from '../core/room.ts';
import {createCellActionsSlice, type CellActionsSlice} from './cell-actions-slice.ts';
import {codeHistory} from './dialogs/code-history.ts';
import {exportSession} from './dialogs/export-session.ts';
import {createKernelNamesSlice, type KernelNamesSlice} from './kernel-names-slice.ts';
import {replHandlers} from './handlers.ts';
import {replKeys, replTab} from './keys.ts';
import {ReplScreen} from './screen.tsx';
import {createCellsSlice, type CellsSlice} from './slice.ts';
import {replCommands} from './line-commands.ts';

type Keys = typeof replKeys;

declare module '../core/program.ts' {
	interface State extends CellsSlice, CellActionsSlice, KernelNamesSlice {}
	interface Keymap extends Keys {}
	interface Panes {
		repl: 'repl' | 'cells' | 'cellFind';
	}
	interface Dialogs {
		/** Code that was run on a server before. */
		history: {server: string};
		/** Where and as what the session is written. */
		export: {server: string};
	}
}

export const repl = screen({
	...replTab,
	command: {does: 'The REPL'},
	slices: [createCellsSlice, createCellActionsSlice, createKernelNamesSlice],
	keys: replKeys,
	handlers: replHandlers,
	stop: (state, server) => state.stopCell(server),
	stash: (state, server) =>
		state.paneFocus.repl === 'repl' && state.stashCode(server) ? 'repl.earlier' : undefined,
	scopes: ({paneFocus}) => [paneFocus.repl],
	commands: replCommands,
	dialogs: [codeHistory, exportSession],
	Screen: ReplScreen,
});
