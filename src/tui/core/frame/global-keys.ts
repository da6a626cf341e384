// Handlers of the keys that work everywhere.
import {dockAction} from '../keys/core-keys.ts';
import {keyFor} from '../keys/live-keys.ts';
import type {Pane, Screen, State} from '../program.ts';
import type {KeyContext, ScopeHandlers} from '../feature.ts';
import {allPanes, allScreens, dialogSpec, isPane, screenSpec, workspaceInfo} from '../features.ts';
import {shownFailure} from '../store/failed-call.ts';
import {firstScreen, route} from '../store/route.ts';
import {movedWidths, TWO_PANES, visiblePanes, wantedNow} from './layout.ts';
import {requestLog} from '../store/requests.ts';
import {chooseProfile, openSignIn} from '../ports.ts';
import {control} from '../store/session.ts';
import {clipboard} from '../store/clipboard.ts';

/** Closes the topmost dialog and ends any wait for its answer. */
const dismiss = (state: State): void => {
	const dialog = state.dialogs.at(-1);
	const how = dialog && dialogSpec(dialog).dismiss;
	if (dialog && how) how(state, dialog);
	else route(state.app).closeDialog();
};

/** Target of Tab: the parts of each visible pane; on other screens the next screen. */
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

const dock = (get: () => State, columns: number, pane: Pane) => (): string | void => {
	const name = screenSpec(pane).pane?.sentence ?? '';
	if (pane === get().screen)
		return `${name} has the keys: ${keyFor('anywhere.nextPane')} moves them, then it can be hidden`;
	route(get).toggleDock(pane);
	if (columns < TWO_PANES)
		return `${name} is ${get().docked[pane] ? 'shown' : 'hidden'} beside the others from ${TWO_PANES} columns on`;
};

/** Step of a divider in cells. */
const STEP = 6;

const shareOtherwise =
	({get, columns}: KeyContext, by: number) =>
	(): string | void => {
		const state = get();
		if (!isPane(state.screen) || visiblePanes(state, columns).length < 2)
			return 'No other pane stands beside this one';
		const widths = movedWidths({...state, wanted: wantedNow(state)}, columns, by);
		if (widths === null) return `${by > 0 ? 'The other pane' : 'This pane'} cannot be narrower`;
		route(get).sharePanes(widths);
	};

const fromEntries = <Name extends string, T>(entries: readonly (readonly [Name, T])[]) =>
	Object.fromEntries(entries) as Record<Name, T>;

/** Actions with keys both for typing and for reading. */
const everywhere = ({get, columns}: KeyContext) => ({
	...fromEntries<Screen, () => void>(allScreens().map(({id}) => [id, () => route(get).go(id)])),
	zoom() {
		const state = get();
		if (!isPane(state.screen)) return 'Only panes of a server can be alone: this screen always is';
		if (!state.zoomed && visiblePanes(state, columns).length === 1) return 'This pane is alone already';
		route(get).toggleZoom();
	},
	palette: () => route(get).openDialog({kind: 'palette'}),
	commandLine: () => route(get).openDialog({kind: 'command-line'}),
	messages: () => route(get).openDialog({kind: 'messages'}),
	// New requests are added above the selected one.
	requests: () =>
		route(get).openDialog({kind: 'requests', at: requestLog(get).requestsNow().at(-1)?.id ?? null}),
	profiles: () => chooseProfile(get),
	signIn: () => openSignIn(get),
	help: () => route(get).openDialog({kind: 'help'}),
	quit: () => control(get).quit(),
});

const evidence = (get: () => State) => (): string | void => {
	if (get().dialogs.at(-1)?.kind === 'evidence') return;
	const failure = shownFailure(get());
	if (failure === undefined)
		return `There is no error to show: ${keyFor('anywhere.requests')} lists every call`;
	route(get).openDialog({kind: 'evidence', failure});
};

export const globalHandlers: ScopeHandlers = {
	anywhere: at => ({
		...everywhere(at),
		...fromEntries(allPanes().map(pane => [dockAction(pane), dock(at.get, at.columns, pane)])),
		widenPane: shareOtherwise(at, STEP),
		narrowPane: shareOtherwise(at, -STEP),
		nextPane: () => move(at.get(), at.columns, 1),
		previousPane: () => move(at.get(), at.columns, -1),
	}),
	global: at => ({
		...everywhere(at),
		evidence: evidence(at.get),
		lastView() {
			const {previousScreen, screen} = at.get();
			if (previousScreen === screen) return 'There is no previous screen';
			route(at.get).go(previousScreen);
		},
		refresh() {
			const state = at.get();
			if (state.connection.status === 'failed') return control(at.get).reconnect();
			(isPane(state.screen) ? workspaceInfo() : screenSpec(state.screen))?.refresh?.(state);
		},
		back() {
			const state = at.get();
			if (screenSpec(state.screen).stop?.(state, state.current ?? '')) return;
			if (state.screen === firstScreen())
				return `This is the first screen: ${keyFor('global.quit')} leaves the program`;
			route(at.get).go(firstScreen());
		},
	}),
	always: ({get}) => ({
		interrupt() {
			const state = get();
			if (state.dialogs.length > 0) return dismiss(state);
			const {stop, stash} = screenSpec(state.screen);
			if (stop?.(state, state.current ?? '')) return;
			if (state.quitting) return control(get).quit();
			const entry = stash?.(state, state.current ?? '');
			if (entry !== undefined) return `Set aside: ${keyFor(entry)} brings it back`;
			route(get).setQuitting(true);
		},
		redraw: () => control(get).redraw(),
		suspend: () => control(get).suspend(),
		showCopied: () => clipboard(get).showCopied(),
		evidence: evidence(get),
	}),
};
