// The strip that lists the keys after the leader, and the strip for kernels.
import {LEADER} from '../../../src/tui/core/keys/live-keys.ts';
import {route} from '../../../src/tui/core/store/route.ts';
import type {Scene} from '../scene.ts';
import {listScenes} from './lists.ts';
import {paneScenes} from './panes.ts';

const stripOn = (screen: string, state: string, chord: string, name: string): Scene => {
	const scene = [...listScenes, ...paneScenes].find(each => each.screen === screen && each.state === state);
	if (scene === undefined) throw new RangeError(`there is no scene ${screen} ${state}`);
	return {
		...scene,
		screen: 'leader',
		state: name,
		async arrive(store, clock) {
			await scene.arrive(store, clock);
			route(store.getState).setChord(chord);
			route(store.getState).showLeader();
		},
	};
};

export const leaderScenes: readonly Scene[] = [
	stripOn('servers', 'full', LEADER, 'servers'),
	stripOn('files', 'full', LEADER, 'files'),
	stripOn('files', 'notebook', LEADER, 'notebook'),
	stripOn('files', 'notebook', `${LEADER} k`, 'kernel'),
	stripOn('repl', 'full', LEADER, 'typing-code'),
];
