import type {Dialog} from '../../../../src/tui/core/program.ts';
import {keptEdits, profiles} from '../../data.ts';
import type {Scene} from '../../scene.ts';
import {everything} from '../panes.ts';
import {ask, deps, goTo} from '../support.ts';
import {assistantDialogs} from './assistant.ts';
import {computeDialogs} from './compute.ts';
import {coreDialogs} from './core.ts';
import {filesDialogs} from './files.ts';
import type {Part} from './part.ts';
import {pictureDialogs} from './pictures.ts';
import {profilesDialogs} from './profiles.ts';
import {replDialogs} from './repl.ts';
import {serversDialogs} from './servers.ts';
import {tableDialogs} from './tables.ts';
import {route} from '../../../../src/tui/core/store/route.ts';

/**
 * States of every dialog; the type requires them all. `note` belongs to a fixture of other tests.
 */
const parts: Readonly<Record<Exclude<Dialog['kind'], 'note'>, readonly Part[]>> = {
	...serversDialogs,
	...computeDialogs,
	...coreDialogs,
	...profilesDialogs,
	...replDialogs,
	...assistantDialogs,
	...filesDialogs,
	...tableDialogs,
	...pictureDialogs,
};

export const dialogScenes: readonly Scene[] = Object.entries(parts).flatMap(([kind, states]) =>
	states.map(({state, on = 'servers', service = everything, arrive, open, ...rest}: Part): Scene => ({
		screen: `dialogs/${kind}`,
		state,
		deps: {...deps, keptEdits: async () => keptEdits, access: profiles},
		service,
		async arrive(store, clock) {
			if (on === 'servers') await ask(store);
			else await goTo(on)(store);
			await arrive?.(store, clock);
			if (open) route(store.getState).openDialog(open);
		},
		...rest,
	})),
);
