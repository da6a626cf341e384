// Keys of the core, which work on all screens.
import {callDetailsKeys} from '../dialogs/call-details.tsx';
import {requestKeys} from '../dialogs/requests.tsx';
import type {KeyContext} from '../feature.ts';
import {allPanes, allScreens, dialogSpec, isPane, screenSpec, workspaceInfo} from '../features.ts';
import {movedWidths, TWO_PANES, visiblePanes, wantedNow} from '../frame/layout.ts';
import {chooseProfile, openSignIn, searchFiles} from '../ports.ts';
import type {Pane, State} from '../program.ts';
import {clipboard} from '../store/clipboard.ts';
import {shownFailure} from '../store/failed-call.ts';
import {requestLog} from '../store/requests.ts';
import {route} from '../store/route.ts';
import {notices} from '../store/notices.ts';
import {control} from '../store/session.ts';
import type {Action, Actions, KeyScopes} from './action.ts';
import {dockAction, type Tab} from './binding-sets.ts';
import {nextStep} from './esc-ladder.ts';
import {keyFor} from './live-keys.ts';
import {chooser, confirm, filter, reader, told} from './shared-scopes.ts';

/** Closes the topmost dialog and ends any wait for its answer. */
const dismiss = (state: State): void => {
	const dialog = state.dialogs.at(-1);
	const how = dialog && dialogSpec(dialog).dismiss;
	if (dialog && how) how(state, dialog);
	else route(state.app).closeDialog();
};

/** Moves to the next part of the visible panes; on other screens to the next screen. */
const move = (state: State, columns: number, step: number): void => {
	const next = <T>(all: readonly T[], at: number): T | undefined =>
		all[(at + step + all.length) % all.length];
	const {screen} = state;
	if (!isPane(screen)) {
		const ids = allScreens().map(({id}) => id);
		return route(state.app).go(next(ids, ids.indexOf(screen)) ?? screen);
	}
	const visible = visiblePanes(state, columns);
	const stops = (visible.length > 1 ? visible : allPanes()).flatMap(pane =>
		(screenSpec(pane).tabStops?.(state) ?? [undefined]).map((part, _, {length}) => ({pane, part, length})),
	);
	const to = next(
		stops,
		stops.findIndex(
			({pane, part, length}) => pane === screen && (length === 1 || part === state.paneFocus[pane]),
		),
	);
	if (to === undefined) return;
	if (to.part !== undefined) route(state.app).focusPart(to.pane, to.part);
	route(state.app).go(to.pane);
};

const dock =
	(pane: Pane) =>
	({get, columns}: KeyContext): string | void => {
		const name = screenSpec(pane).pane?.sentence ?? '';
		if (pane === get().screen)
			return `${name} has focus: ${keyFor('anywhere.nextPane')} moves the focus, then it can be hidden`;
		route(get).toggleDock(pane);
		if (columns < TWO_PANES)
			return `${name} is ${get().docked[pane] ? 'shown' : 'hidden'} beside the others from ${TWO_PANES} columns on`;
	};

/** Step of a divider in cells. */
const STEP = 6;

const shareOtherwise =
	(by: number) =>
	({get, columns}: KeyContext): string | void => {
		const state = get();
		if (!isPane(state.screen) || visiblePanes(state, columns).length < 2)
			return 'There is no other pane beside this one';
		const widths = movedWidths({...state, wanted: wantedNow(state)}, columns, by);
		if (widths === null) return `${by > 0 ? 'The other pane' : 'This pane'} cannot be narrower`;
		route(get).sharePanes(widths);
	};

const showFailure = ({get}: KeyContext): string | void => {
	if (get().dialogs.at(-1)?.kind === 'evidence') return;
	const failure = shownFailure(get());
	if (failure === undefined)
		return `There is no error to show: ${keyFor('anywhere.requests')} lists every request`;
	route(get).openDialog({kind: 'evidence', failure});
};

/** Words that the user types into the filter of a list are searched everywhere. */
const openPalette = (get: () => State): void => {
	const {filtering, lists} = get();
	const words = filtering === null ? '' : lists[filtering].filter.text.trim();
	route(get).openDialog({kind: 'palette', ...(words !== '' && {words})});
};

/** Actions with keys both for typing and for reading. */
const everywhere = {
	zoom: (key: string): Action => ({
		keys: [key],
		label: 'zoom the pane',
		also: 'full screen',
		run({get, columns}) {
			const state = get();
			if (!isPane(state.screen)) return 'Only panes of a server can be alone: this screen always is';
			if (!state.zoomed && visiblePanes(state, columns).length === 1) return 'This pane is alone already';
			route(get).toggleZoom();
		},
	}),
	palette: {
		keys: ['ctrl+p'],
		label: 'find anything',
		also: 'all actions palette',
		run: ({get}) => openPalette(get),
	},
	commandLine: (key: string): Action => ({
		keys: [key],
		label: 'command',
		run: ({get}) => route(get).openDialog({kind: 'command-line'}),
	}),
	profiles: (key: string): Action => ({
		keys: [key],
		label: 'profiles',
		also: 'sign in login account API key',
		run: ({get}) => chooseProfile(get),
	}),
	search: (...keys: readonly string[]): Action => ({
		keys,
		label: 'search in all files',
		also: 'grep find text content',
		run: ({get}) => searchFiles(get),
	}),
	signIn: {keys: ['ctrl+x l'], label: 'sign in', run: ({get}) => openSignIn(get)},
	help: (...keys: readonly string[]): Action => ({
		keys,
		label: 'help',
		also: 'shortcuts',
		run: ({get}) => route(get).openDialog({kind: 'help'}),
	}),
	quit: (key: string): Action => ({
		keys: [key],
		label: 'Quit',
		also: 'exit',
		run: ({get}) => control(get).quit(),
	}),
} as const satisfies Readonly<Record<string, Action | ((...keys: readonly string[]) => Action)>>;

const jumps = (screens: readonly Tab[], modifier: string): Actions =>
	Object.fromEntries(
		screens.map(({id, title, jump}) => [
			id,
			{keys: [modifier + jump], label: title, run: ({get}) => route(get).go(id)} satisfies Action,
		]),
	);

const docks = (screens: readonly Tab[]): Actions =>
	Object.fromEntries(
		screens
			.toReversed()
			.flatMap(({id, pane}) =>
				pane
					? [[dockAction(id), {keys: [pane.dock], label: `dock ${pane.name}`, run: dock(id as Pane)}]]
					: [],
			),
	);

export const coreKeys = (screens: readonly Tab[]): KeyScopes => ({
	/** Work everywhere, also inside a text field or a dialog. */
	always: {
		where: 'always',
		name: 'Always',
		actions: {
			interrupt: {
				keys: ['ctrl+c'],
				label: 'Cancel, or quit when pressed twice',
				run({get}) {
					const state = get();
					if (state.dialogs.length > 0) return dismiss(state);
					const {stop, stash} = screenSpec(state.screen);
					if (stop?.(state, state.current ?? '')) return;
					if (state.quitting) return control(get).quit();
					const entry = stash?.(state, state.current ?? '');
					if (entry !== undefined) return `Set aside: ${keyFor(entry)} brings it back`;
					route(get).setQuitting(true);
				},
			},
			redraw: {keys: ['ctrl+l'], label: 'Redraw the screen', run: ({get}) => control(get).redraw()},
			suspend: {
				keys: ['ctrl+z'],
				label: 'Suspend to the shell; fg resumes',
				run: ({get}) => control(get).suspend(),
			},
			showCopied: {
				keys: ['ctrl+x y'],
				label: 'show what was copied last',
				run: ({get}) => clipboard(get).showCopied(),
			},
			evidence: {keys: ['ctrl+x !'], label: 'show the failed request and its response', run: showFailure},
		},
	},
	/** Work on every screen and in every text field, but not in a dialog. */
	anywhere: {
		where: 'also while typing',
		name: 'Anywhere, also while typing',
		actions: {
			...jumps(screens, 'alt+'),
			follow: {
				keys: ['ctrl+x g'],
				label: 'go to what the newest message is about',
				run: ({get}) => notices(get).followNotice(),
			},
			nextPane: {keys: ['tab'], label: 'Next pane', run: ({get, columns}) => move(get(), columns, 1)},
			previousPane: {
				keys: ['shift+tab'],
				label: 'Previous pane',
				run: ({get, columns}) => move(get(), columns, -1),
			},
			...docks(screens),
			zoom: everywhere.zoom('ctrl+x z'),
			widenPane: {
				keys: ['ctrl+x >'],
				label: 'widen the pane',
				also: 'divider resize split',
				run: shareOtherwise(STEP),
			},
			narrowPane: {
				keys: ['ctrl+x <'],
				label: 'narrow the pane',
				also: 'divider resize split',
				run: shareOtherwise(-STEP),
			},
			palette: everywhere.palette,
			commandLine: everywhere.commandLine('ctrl+x :'),
			profiles: everywhere.profiles('ctrl+x p'),
			signIn: everywhere.signIn,
			search: everywhere.search('ctrl+x /'),
			messages: {
				keys: ['ctrl+x n'],
				label: 'messages',
				also: 'notices',
				run: ({get}) => route(get).openDialog({kind: 'messages'}),
			},
			requests: {
				keys: ['ctrl+x q'],
				label: 'requests',
				also: 'log curl network',
				// New requests are added above the selected one.
				run: ({get}) =>
					route(get).openDialog({kind: 'requests', at: requestLog(get).requestsNow().at(-1)?.id ?? null}),
			},
			help: everywhere.help('ctrl+x ?', 'alt+?'),
			quit: everywhere.quit('alt+q'),
		},
	},
	/** The user's commands, which user-commands.ts adds. */
	own: {where: 'your commands, also while typing', name: 'Your commands', actions: {}},
	/** Single letters, while no text is typed. */
	global: {
		where: 'where no text is typed',
		name: 'Anywhere',
		actions: {
			...jumps(screens, ''),
			palette: everywhere.palette,
			commandLine: {...everywhere.commandLine(':'), hint: true},
			zoom: everywhere.zoom('z'),
			lastView: {
				keys: ['-'],
				label: 'Previous screen',
				run({get}) {
					const {previousScreen, screen} = get();
					if (previousScreen === screen) return 'There is no previous screen';
					route(get).go(previousScreen);
				},
			},
			profiles: everywhere.profiles('0'),
			signIn: everywhere.signIn,
			search: everywhere.search('space /', 'ctrl+x /'),
			refresh: {
				keys: ['R'],
				label: 'Refresh',
				also: 'reload update',
				run({get}) {
					const state = get();
					if (state.connection.status === 'failed') return control(get).reconnect();
					(isPane(state.screen) ? workspaceInfo() : screenSpec(state.screen))?.refresh?.(state);
				},
			},
			evidence: {keys: ['!'], label: 'Show the failed request and its response', run: showFailure},
			help: {...everywhere.help('?'), hint: true},
			back: {
				keys: ['esc'],
				label: 'Back',
				now: ({get}) => nextStep(get)?.label ?? null,
				run({get}) {
					const state = get();
					if (screenSpec(state.screen).stop?.(state, state.current ?? '')) return;
					const step = nextStep(get);
					if (step === null) return `This is the first screen: ${keyFor('global.quit')} leaves the program`;
					return step.take();
				},
			},
			quit: everywhere.quit('q'),
		},
	},
	filter,
	confirm,
	reader,
	told,
	chooser,
	evidence: callDetailsKeys,
	requests: requestKeys,
});
