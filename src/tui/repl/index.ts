import {screen} from '../core/feature.ts';
import {sessionExport} from './export.ts';
import {codeHistory} from './dialogs/code-history.ts';
import {exportSession} from './dialogs/export-session.ts';
import {replKeys, replTab} from './keys.ts';
import {offlineCells} from './offline-cells.ts';
import {ReplScreen} from './screen.tsx';
import {helpScope} from '../cells/help/help.ts';
import {focusedDocument, ownerOf, replOwner} from '../cells/kernels/owner.ts';
import {notebookOwner} from '../notebook/kernel-owner.ts';
import {documentOf, notebookOn} from '../notebook/open-notebook.ts';
import {hasFailed, isPending, queuedCells, runningCell} from '../cells/cell.ts';
import {replLink, replOf} from './transcript.ts';
import {showNamedCell} from './named-cell.ts';
import {replSession, type CellsState} from './session.ts';
import {keyOf} from '../core/keys/live-keys.ts';
import type {State} from '../core/program.ts';
import {fieldSource} from '../core/store/draft-source.ts';
import {replCommands} from './line-commands.ts';
import {otherLanguage} from '../../text/python/run-language.ts';
import {replacedBy} from '../core/store/typed-field.ts';
import {restoreCode, runInRepl, showReplCell} from '../files/ports.ts';

declare module '../core/program.ts' {
	interface State extends CellsState {}
	interface Scopes {
		repl: true;
		cells: true;
		answer: true;
		cellFind: true;
	}
	interface Panes {
		repl: 'repl' | 'cells' | 'cellFind';
	}
	interface Dialogs {
		/** Code that was run on a server before. */
		history: {server: string};
		/** Target and format of a session's export. */
		export: {server: string};
	}
}

const runsIn = (state: State): boolean => runningCell(replOf(state, state.current ?? '')) !== undefined;

export const repl = screen({
	...replTab,
	command: {does: 'Show the REPL'},
	parts: [
		replSession,
		sessionExport,
		runInRepl.provide(({get}, server, sources, language) => {
			const other = language === '' ? undefined : otherLanguage(language, replOf(get(), server).kernel);
			if (other !== undefined) return other;
			replSession(get).runCells(server, sources);
		}),
		replOwner.provide(({get}, server) => {
			const repl = replOf(get(), server);
			return {
				document: {kind: 'repl', kernel: repl.kernel},
				running: runningCell(repl)?.id,
				queued: queuedCells(repl),
				use: kernel => replSession(get).changeRepl(server, {kernel}),
				endKernel: () => replSession(get).endKernel(server),
			};
		}),
		showReplCell.provide(showNamedCell),
		focusedDocument.provide((app, server) => {
			const open = app.get().screen === 'files' ? notebookOn(app.get(), server) : undefined;
			return open === undefined ? replOwner(app, server).document : documentOf(open);
		}),
		ownerOf.provide((app, server, document) =>
			document.kind === 'notebook' ? notebookOwner(app, server, document) : replOwner(app, server),
		),
		restoreCode.provide(({get}, server, code) =>
			replSession(get).changeRepl(server, replacedBy(replOf(get(), server), code)),
		),
	],
	keys: replKeys,
	stop: (state, server) => replSession(state.app).stopCell(server),
	stops(state, server, top) {
		if (helpScope(state).includes(top)) return undefined;
		const repl = replOf(state, server);
		const cell = runningCell(repl);
		if (repl.asks !== null) return 'interrupt the cell';
		return (
			cell &&
			(cell.state === 'running'
				? 'stop waiting for the cell'
				: state.isLocal || replLink(state, server)?.kind === 'live'
					? 'interrupt the cell'
					: 'abandon the cell')
		);
	},
	isBusy(state, server) {
		const repl = replOf(state, server);
		return runningCell(repl) !== undefined || queuedCells(repl) > 0;
	},
	runs: (state, server) => replOf(state, server).cells,
	hasContent(state, server) {
		const {cells, draft, asks} = replOf(state, server);
		return cells.length > 0 || draft.text !== '' || asks !== null;
	},
	inDock(state, server) {
		const {length} = replOf(state, server).cells;
		return length === 0 ? '' : `${length} cell${length === 1 ? '' : 's'}`;
	},
	hasBegunShort: (before, now) => !runsIn(before) && runsIn(now),
	ended(state, server) {
		const ended = replOf(state, server).cells.filter(cell => cell.earlier === null && !isPending(cell));
		const last = ended.at(-1);
		return {count: ended.length, failed: last !== undefined && hasFailed(last)};
	},
	failure: (state, server) => replOf(state, server).cells.findLast(({failure}) => failure !== null)?.failure,
	tabDoes: (state, server, top) =>
		top === 'repl' && replOf(state, server).draft.cursor > 0
			? {key: keyOf(state, 'repl', 'complete'), label: 'complete'}
			: undefined,
	drafts: {
		code: fieldSource(
			state => state.repls,
			({cells}) => cells.at(-1)?.source,
			(state, server, change) => replSession(state.app).changeRepl(server, change),
		),
	},
	stash: (state, server) =>
		state.paneFocus.repl === 'repl' && replSession(state.app).stashCode(server) ? 'repl.earlier' : undefined,
	waits: (state, server) => replOf(state, server).asks !== null,
	scopes: state => [
		...helpScope(state),
		state.paneFocus.repl === 'repl' && replOf(state, state.current ?? '').asks !== null
			? 'answer'
			: state.paneFocus.repl,
	],
	kept: offlineCells,
	commands: replCommands,
	dialogs: [codeHistory, exportSession],
	Screen: ReplScreen,
});
