// The features of the program, and lookups derived from them.
import {fillKeymap} from './keys/keymap.ts';
import {forgetBindings} from './keys/live-keys.ts';
import type {Dialog, Pane, Screen, State} from './program.ts';
import type {DialogSpec, Feature, ScreenSpec, Workspace} from './feature.ts';
import type {DraftSources} from './store/draft-source.ts';

let rooms: readonly Feature[] = [];
let screens: readonly ScreenSpec[] = [];
let workspace: Workspace | undefined;
let screenById: ReadonlyMap<Screen, ScreenSpec> = new Map();
let dialogByKind: ReadonlyMap<string, DialogSpec> = new Map();

/** Assembles the program from these features. Their order is the order of the screens. */
export const assemble = (all: readonly Feature[]): void => {
	rooms = all;
	screens = rooms.flatMap(({screen}) => screen ?? []);
	workspace = rooms.find(each => each.workspace)?.workspace;
	screenById = new Map(screens.map(each => [each.id, each]));
	dialogByKind = new Map(rooms.flatMap(({dialogs = []}) => dialogs.map(each => [each.kind, each])));
	fillKeymap(
		screens,
		rooms.flatMap(({keys}) => keys ?? []),
	);
	forgetBindings();
};

export const draftSources = (): DraftSources => Object.assign({}, ...rooms.map(({drafts}) => drafts));
export const allFeatures = (): readonly Feature[] => rooms;
export const allScreens = (): readonly ScreenSpec[] => screens;

export const screenSpec = (id: Screen): ScreenSpec => {
	const found = screenById.get(id);
	if (found === undefined) throw new RangeError(`no feature has the screen ${id}`);
	return found;
};

export const dialogSpec = ({kind}: Dialog): DialogSpec => {
	const found = dialogByKind.get(kind);
	if (found === undefined) throw new RangeError(`no feature has the dialog ${kind}`);
	return found;
};

/** True for the panes of a server's workspace, which are screens too. */
export const isPane = (screen: Screen): screen is Pane => screenById.get(screen)?.pane !== undefined;
/** All panes, from left to right. */
export const allPanes = (): readonly Pane[] => screens.map(({id}) => id).filter(isPane);

/** True if the screen is a pane of a server that is not usable now. */
export const isClosed = (state: State): boolean =>
	isPane(state.screen) && workspace !== undefined && !workspace.isOpen(state);
export const workspaceInfo = (): Workspace | undefined => workspace;
