import type {Scene} from '../scene.ts';
import {dialogScenes} from './dialogs/index.ts';
import {leaderScenes} from './leader.ts';
import {listScenes} from './lists.ts';
import {paneScenes} from './panes.ts';
import {richScenes} from './rich-outputs.ts';

export const scenes: readonly Scene[] = [
	...listScenes,
	...paneScenes,
	...richScenes,
	...leaderScenes,
	...dialogScenes,
];
