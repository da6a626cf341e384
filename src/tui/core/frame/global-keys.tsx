import {isAsking} from '../../assistant/slice.ts';
import {shownFailure} from '../store/evidence.ts';
import type {Pane, Screen} from '../program.ts';
import {isPane, allScreens} from '../rooms.ts';
import type {State} from '../program.ts';
import {useKeys} from '../keys/keys.tsx';
import {keyFor} from '../keys/live-keys.ts';
import {useGetState} from '../store-context.ts';
import {visiblePanes} from './layout.ts';

type Props = {
	readonly columns: number;
	readonly quit: () => void;
	readonly redraw: () => void;
	readonly suspend: () => void;
};

/** Parts that Tab visits on a screen, in order: the parts of each visible pane. */
type Stop = {readonly screen: Screen; readonly viewer?: boolean};

/** Closes the topmost dialog without losing what was typed into it, and without leaving anything waiting for its answer. */
const dismiss = (state: State): void => {
	const dialog = state.dialogs.at(-1);
	if (dialog?.kind === 'overwrite') return state.answerOverwrite('stop');
	if (dialog?.kind === 'write-file') return state.leaveWriting();
	if (dialog?.kind === 'create' && dialog.form.server === null && dialog.form.name !== '')
		state.keepForm(dialog.form);
	state.closeDialog();
};

/** Answers the keys that work everywhere. Draws nothing. */
export const GlobalKeys = ({columns, quit, redraw, suspend}: Props) => {
	const get = useGetState();
	const goTo = Object.fromEntries(
		allScreens().map(({id: screen}) => [screen, () => get().go(screen)]),
	) as Record<Screen, () => void>;

	const move = (step: number): void => {
		const state = get();
		const ids = allScreens().map(({id}) => id);
		if (!isPane(state.screen))
			return state.go(ids[(ids.indexOf(state.screen) + step + ids.length) % ids.length] ?? state.screen);
		const panes = visiblePanes(state, columns);
		const around: readonly Pane[] = panes.length > 1 ? panes : ['files', 'repl', 'assistant'];
		const opened = state.viewers.has(state.current ?? '');
		const stops: Stop[] = around.flatMap((pane): Stop[] =>
			pane === 'files' && opened ? [{screen: pane}, {screen: pane, viewer: true}] : [{screen: pane}],
		);
		const at = stops.findIndex(
			stop =>
				stop.screen === state.screen &&
				Boolean(stop.viewer) === (state.screen === 'files' && opened && state.paneFocus.files === 'viewer'),
		);
		const next = stops[(at + step + stops.length) % stops.length];
		if (next === undefined) return;
		if (next.screen === 'files') state.focusPart('files', next.viewer ? 'viewer' : 'tree');
		if (next.screen !== state.screen) get().go(next.screen);
	};

	const dock = (pane: Pane) => () => {
		const state = get();
		const name = {files: 'Files', repl: 'The REPL', assistant: 'The assistant'}[pane];
		if (pane === state.screen)
			return `${name} has the keys: ${keyFor('anywhere.nextPane')} moves them, then it can be hidden`;
		state.toggleDock(pane);
		if (columns < 100)
			return `${name} is ${get().docked[pane] ? 'shown' : 'hidden'} beside the others from 100 columns on`;
	};

	const everywhere = {
		zoom() {
			const state = get();
			if (!isPane(state.screen)) return 'Only panes of a server can be alone: this screen always is';
			if (!state.zoomed && visiblePanes(state, columns).length === 1) return 'This pane is alone already';
			state.toggleZoom();
		},
		palette: () => get().openDialog({kind: 'palette'}),
		commandLine: () => get().openDialog({kind: 'command-line'}),
		messages: () => get().openDialog({kind: 'messages'}),
		// New calls come above the one under the cursor.
		requests: () => get().openDialog({kind: 'requests', at: get().requestsNow().at(-1)?.id ?? null}),
		profiles: () => get().chooseProfile(),
		signIn: () => get().openSignIn(),
		help: () => get().openDialog({kind: 'help'}),
	};
	const evidence = (): string | void => {
		if (get().dialogs.at(-1)?.kind === 'evidence') return;
		const failure = shownFailure(get());
		if (failure === undefined)
			return `There is no error to show: ${keyFor('anywhere.requests')} lists every call`;
		get().openDialog({kind: 'evidence', failure});
	};

	useKeys('anywhere', {
		...goTo,
		nextPane: () => move(1),
		previousPane: () => move(-1),
		dockAssistant: dock('assistant'),
		dockRepl: dock('repl'),
		dockFiles: dock('files'),
		...everywhere,
		quit,
	});
	useKeys('global', {
		...goTo,
		...everywhere,
		evidence,
		lastView() {
			const state = get();
			if (state.previousScreen === state.screen) return 'There is no previous screen';
			state.go(state.previousScreen);
		},
		refresh() {
			const state = get();
			if (state.connection.status === 'failed') return state.reconnect();
			if (state.screen === 'compute') void state.refreshCompute();
			else if (state.screen === 'environments') void state.refreshEnvironments();
			else if (state.screen === 'servers' || state.current === null) void state.refreshServers();
			else void state.refreshFiles(state.current);
		},
		back() {
			const state = get();
			const server = state.current ?? '';
			if (state.screen === 'repl' && state.stopCell(server)) return;
			if (state.screen === 'assistant' && state.stopAnswer(server)) return;
			if (state.screen === 'files' && state.stopTransfer(server)) return;
			if (state.screen === 'servers')
				return `This is the first screen: ${keyFor('global.quit')} leaves the program`;
			state.go('servers');
		},
		quit,
	});
	useKeys('always', {
		interrupt() {
			const state = get();
			const server = state.current ?? '';
			if (state.dialogs.length > 0) return dismiss(state);
			if (state.screen === 'repl' && state.stopCell(server)) return;
			if (state.screen === 'assistant' && isAsking(state.conversations.get(server)))
				return void state.stopAnswer(server);
			if (state.screen === 'files' && state.stopTransfer(server)) return;
			if (state.quitting) return quit();
			const stashed =
				(state.screen === 'repl' && state.paneFocus.repl === 'repl' && state.stashCode(server)) ||
				(state.screen === 'assistant' &&
					state.paneFocus.assistant === 'assistant' &&
					state.stashQuestion(server));
			if (stashed)
				return `Set aside: ${keyFor(state.screen === 'repl' ? 'repl.earlier' : 'assistant.earlier')} brings it back`;
			state.setQuitting(true);
		},
		redraw,
		suspend,
		showCopied: () => get().showCopied(),
		evidence,
	});
	return null;
};
