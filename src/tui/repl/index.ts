import {dialog, screen} from '../core/room.ts';
import {createCellActionsSlice, type CellActionsSlice} from './cell-actions-slice.ts';
import {CodeHistory} from './dialogs/code-history.tsx';
import {ExportSession} from './dialogs/export-session.tsx';
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
	scopes: ({paneFocus}) => [paneFocus.repl],
	commands: replCommands,
	dialogs: [
		dialog({kind: 'history', scope: 'chooser', Dialog: CodeHistory}),
		dialog({
			kind: 'export',
			scope: 'chooser',
			line: ({server}) => ({field: 'export', server}),
			Dialog: ExportSession,
		}),
	],
	Screen: ReplScreen,
});
