// Keys of the core, which work on all screens.
import {callDetailsKeys} from '../dialogs/call-details.tsx';
import {messageKeys} from '../dialogs/messages.tsx';
import {requestKeys} from '../dialogs/requests.tsx';
import type {KeyContext} from '../feature.ts';
import {allPanes, allScreens, dialogSpec, isPane, screenSpec, workspaceInfo} from '../features.ts';
import {bodyOf, companionsOf, isPaneAlone, layoutNow} from '../frame/layout.ts';
import {classOf, widthsOf} from '../frame/workspace-layout.ts';
import {chooseProfile, openSignIn, searchFiles, showCosts} from '../ports.ts';
import type {Pane, State} from '../program.ts';
import {clipboard} from '../store/clipboard.ts';
import {shownFailure} from '../store/failed-call.ts';
import {requestLog} from '../store/requests.ts';
import {isAwaited} from '../store/remote.ts';
import {route} from '../store/route.ts';
import {notices} from '../store/notices.ts';
import {control} from '../store/session.ts';
import type {Action, Actions, KeyScopes} from './action.ts';
import {dockAction, type Tab} from './binding-sets.ts';
import {placeDivider} from './dividers.ts';
import {nextStep} from './esc-ladder.ts';
import {keyFor} from './live-keys.ts';
import {chooser, confirm, filter, reader, told} from './shared-scopes.ts';

/** Closes the topmost dialog. Code that waits for its answer is notified. */
const dismiss = (state: State): void => {
	const dialog = state.dialogs.at(-1);
	const how = dialog && dialogSpec(dialog).dismiss;
	if (dialog && how) how(state, dialog);
	else route(state.app).closeDialog();
};

/**
 * Moves the focus to the next part of the visible panes. On a screen without panes, opens the next
 * screen.
 */
const move = ({get, columns, rows}: KeyContext, step: number): void => {
	const state = get();
	const next = <T>(all: readonly T[], at: number): T | undefined =>
		all[(at + step + all.length) % all.length];
	const {screen} = state;
	if (!isPane(screen)) {
		const ids = allScreens().map(({id}) => id);
		return route(state.app).go(next(ids, ids.indexOf(screen)) ?? screen);
	}
	const panes = isPaneAlone(state) ? allPanes() : [state.main, ...companionsOf(state.main)];
	const drawn = layoutNow(state, columns, rows).panes;
	const body = bodyOf(columns, rows);
	const stops = panes.flatMap(pane =>
		(screenSpec(pane).tabStops?.(state, drawn.find(each => each.pane === pane) ?? body) ?? [undefined]).map(
			(part, _, {length}) => ({pane, part, length}),
		),
	);
	const to = next(
		stops,
		stops.findIndex(
			({pane, part, length}) => pane === screen && (length === 1 || part === state.paneFocus[pane]),
		),
	);
	if (to === undefined) return;
	if (to.part !== undefined) route(state.app).focusPart(to.pane, to.part);
	route(state.app).focus(to.pane);
};

const dock =
	(pane: Pane) =>
	({get, columns, rows}: KeyContext): string | void => {
		const state = get();
		const {pane: tab, showTree} = screenSpec(pane);
		if (!isPane(state.screen)) return route(get).go(pane);
		if (pane === state.main)
			return showTree === undefined
				? `${tab?.sentence ?? ''} is the main pane: to change that, open another one with its key`
				: showTree(state, !isPaneAlone(state) && widthsOf(columns).rail > 0);
		const isShown = layoutNow(state, columns, rows).panes.some(each => each.pane === pane);
		route(get).setCompanion(pane, isShown ? 'closed' : 'open');
		if (isShown && pane === state.screen) route(get).focus(state.main);
	};

/** Width by which a key moves a divider, in cells. */
const STEP = 4;

const moveDivider =
	(by: number) =>
	({get, columns, rows}: KeyContext): string | void => {
		const state = get();
		if (!isPane(state.screen)) return 'Only the panes of a server have dividers';
		const before = widthsOf(columns, state.dividers[classOf(columns)]);
		const rail = layoutNow(state, columns, rows).panes[0]?.rail ?? 0;
		const isTree = rail > 0 && (before.side === 0 || screenSpec(state.screen).isInTree?.(state) === true);
		if (!isTree && before.side === 0) return 'There is no divider at this width';
		const divider = isTree ? 'rail' : 'main';
		if (!placeDivider(get, columns, divider, before[divider] + by))
			return 'The divider cannot move further: a line of code must fit';
	};

const resetDividers = ({get, columns}: KeyContext): string | void => {
	if (get().dividers[classOf(columns)] === undefined) return 'The dividers are in their default positions';
	route(get).setDividers(classOf(columns), undefined);
};

/** The list of the screen if its first response has not arrived yet; else undefined. */
const awaitedList = (state: State) => {
	const list = screenSpec(state.screen).list?.(state);
	return list && isAwaited(list.remote) ? list : undefined;
};

const showFailure = ({get}: KeyContext): string | void => {
	if (get().dialogs.at(-1)?.kind === 'evidence') return;
	const running = requestLog(get)
		.requestsNow()
		.findLast(({took}) => took === null);
	if (running !== undefined && get().dialogs.length === 0 && awaitedList(get()))
		return route(get).openDialog({kind: 'requests', at: running.id});
	const failure = shownFailure(get());
	if (failure === undefined)
		return `There is no error to show: ${keyFor('anywhere.requests')} lists every request`;
	route(get).openDialog({kind: 'evidence', failure});
};

/**
 * Opens the palette. Text that the user has typed into a list's filter becomes its initial text.
 */
const openPalette = (get: () => State): void => {
	const {filtering, lists} = get();
	const words = filtering === null ? '' : lists[filtering].filter.text.trim();
	route(get).openDialog({kind: 'palette', ...(words !== '' && {words})});
};

/** Null on a screen without panes; undefined otherwise. */
const needsPanes = ({get}: KeyContext): null | undefined => (isPane(get().screen) ? undefined : null);

/** Actions that have one key while typing and another while reading. */
const everywhere = {
	zoom: (key: string): Action => ({
		keys: [key],
		label: 'zoom the pane',
		now: needsPanes,
		also: 'full screen',
		run({get}) {
			if (!isPane(get().screen)) return 'Only the panes of a server can be zoomed';
			route(get).toggleZoom();
		},
	}),
	palette: (...keys: readonly string[]): Action => ({
		keys,
		label: 'find anything',
		also: 'all actions palette',
		run: ({get}) => openPalette(get),
	}),
	costs: (...keys: readonly string[]): Action => ({
		keys,
		label: 'costs over days',
		also: 'money spent price estimate',
		run: ({get}) => showCosts(get),
	}),
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
					? [[dockAction(id), {keys: [pane.dock], label: `show or hide ${pane.name}`, run: dock(id as Pane)}]]
					: [],
			),
	);

export const coreKeys = (screens: readonly Tab[]): KeyScopes => ({
	/** Keys that work everywhere, also in text fields and dialogs. */
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
					awaitedList(state)?.stop();
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
			evidence: {
				keys: ['ctrl+x !'],
				label: 'show the failed request and its response',
				now: ({get}) => (shownFailure(get()) === undefined ? null : undefined),
				run: showFailure,
			},
		},
	},
	/** Keys that work on every screen, also in text fields, but not in dialogs. */
	anywhere: {
		where: 'also while typing',
		name: 'Anywhere, also while typing',
		actions: {
			...jumps(screens, 'alt+'),
			follow: {
				keys: ['ctrl+x g'],
				label: 'go to what the newest message is about',
				now: ({get}) => (get().notices.some(({leads}) => leads !== undefined) ? undefined : null),
				run: ({get}) => notices(get).followNotice(),
			},
			nextPane: {keys: ['tab'], label: 'Next pane', run: at => move(at, 1)},
			previousPane: {keys: ['shift+tab'], label: 'Previous pane', run: at => move(at, -1)},
			...docks(screens),
			zoom: everywhere.zoom('ctrl+x z'),
			widenPane: {
				keys: ['ctrl+x >'],
				label: 'move the divider right',
				now: needsPanes,
				also: 'widen pane resize split',
				run: moveDivider(STEP),
			},
			narrowPane: {
				keys: ['ctrl+x <'],
				label: 'move the divider left',
				now: needsPanes,
				also: 'narrow pane resize split',
				run: moveDivider(-STEP),
			},
			resetPanes: {
				keys: ['ctrl+x ='],
				label: 'reset the dividers',
				now: needsPanes,
				also: 'pane width resize split',
				run: resetDividers,
			},
			palette: everywhere.palette('ctrl+p', 'ctrl+x space'),
			commandLine: everywhere.commandLine('ctrl+x :'),
			profiles: everywhere.profiles('ctrl+x p'),
			signIn: everywhere.signIn,
			search: everywhere.search('ctrl+x /'),
			messages: {
				keys: ['ctrl+x i'],
				was: ['ctrl+x n'],
				label: 'messages',
				also: 'notices',
				run: ({get}) => route(get).openDialog({kind: 'messages'}),
			},
			requests: {
				keys: ['ctrl+x q'],
				label: 'requests',
				also: 'log curl network',
				// The dialog selects a request by id, because new requests are added above the
				// selected one.
				run: ({get}) =>
					route(get).openDialog({kind: 'requests', at: requestLog(get).requestsNow().at(-1)?.id ?? null}),
			},
			costs: everywhere.costs('ctrl+x $'),
			help: everywhere.help('ctrl+x ?', 'alt+?'),
			quit: everywhere.quit('alt+q'),
		},
	},
	/** The user's commands. user-commands.ts adds them. */
	own: {where: 'your commands, also while typing', name: 'Your commands', actions: {}},
	/** Single letters, which work only where no text is typed. */
	global: {
		where: 'where no text is typed',
		name: 'Anywhere',
		actions: {
			...jumps(screens, ''),
			palette: everywhere.palette('ctrl+p', 'space space'),
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
			profiles: {...everywhere.profiles('space p'), was: ['0']},
			signIn: everywhere.signIn,
			search: everywhere.search('space /'),
			costs: everywhere.costs('space $'),
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
	messages: messageKeys,
});
