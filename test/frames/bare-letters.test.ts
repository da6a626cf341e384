// Actions whose description says that they ask first. In each drawn state they open a dialog, and
// send nothing.
import {afterAll, describe, expect, test} from 'vitest';
import type {Client} from '../../src/api/client-types.ts';
import {bindingsOf} from '../../src/tui/core/keys/live-keys.ts';
import {keyPath} from '../../src/tui/core/keys/scopes.ts';
import {ASKS} from '../support/asking-actions.ts';
import {runAction} from '../support/run-action.ts';
import {withScene} from './draw.tsx';
import {sceneName, type Scene} from './scene.ts';
import {scenes} from './scenes/index.ts';

const SIZE = {columns: 120, rows: 40};
/** Names of client methods that change something. */
const CHANGES = /^(?:create|start|shut|stop|delete|remove|upload|put|run|ask|send|attach|adopt|set|allow)/i;

/** The scene with a service that calls `onChange` for each method that changes something. */
const watched = (scene: Scene, onChange: (name: string) => void): Scene => ({
	...scene,
	service: clock =>
		new Proxy<Partial<Client>>(scene.service(clock), {
			get(target, name) {
				const found: unknown = Reflect.get(target, name);
				if (typeof name !== 'string' || !CHANGES.test(name)) return found;
				return async (...given: readonly unknown[]) => {
					onChange(name);
					return typeof found === 'function'
						? (found as (...given: readonly unknown[]) => unknown)(...given)
						: new Promise(() => {});
				};
			},
		}),
});

/** Actions that no scene can run. The journeys change-files, tree and assistant press them. */
const IN_JOURNEYS: ReadonlySet<string> = new Set([
	'tree.move',
	'tree.remove',
	'tree.listByCode',
	'turns.writeBlock',
]);
/** Actions to run first, so that the tested action has something to act on. */
const BEFORE: Readonly<Record<string, {readonly action: string; readonly times: number}>> = {
	'servers.start': {action: 'down', times: 4},
};

const asked = new Set<string>();
afterAll(() => {
	expect([...ASKS].filter(entry => !asked.has(entry) && !IN_JOURNEYS.has(entry))).toEqual([]);
});

describe('a key that is said to ask opens a box and sends nothing', () => {
	test.each(scenes.map(scene => [sceneName(scene), scene] as const))('%s', async (_, scene) => {
		const actions = await withScene(
			scene,
			SIZE,
			({store}) =>
				keyPath(store.getState()).scopes.flatMap(scope =>
					bindingsOf(store.getState(), scope)
						.filter(({action}) => ASKS.has(`${scope}.${action}`))
						.map(({action}) => ({scope, action})),
				),
			{isDrawn: false},
		);
		for (const {scope, action} of actions) {
			const sent: string[] = [];
			let isArmed = false;
			const opened = await withScene(
				watched(scene, name => isArmed && sent.push(name)),
				SIZE,
				async ({store, settled}) => {
					const {action: first, times} = BEFORE[`${scope}.${action}`] ?? {action: '', times: 0};
					for (let time = 0; time < times; time++) runAction(store.getState, scope, first, SIZE);
					await settled();
					isArmed = true;
					const before = store.getState().dialogs.length;
					runAction(store.getState, scope, action, SIZE);
					await settled();
					return store.getState().dialogs.length > before;
				},
				{isDrawn: false},
			);
			expect([scope, action, sent]).toEqual([scope, action, []]);
			if (opened) asked.add(`${scope}.${action}`);
		}
	});
});
