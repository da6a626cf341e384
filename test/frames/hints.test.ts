// Every key in a footer works: in each drawn state it has an effect, and no notice says that it
// cannot act.
import {mkdtempSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {beforeAll, describe, expect, test, vi} from 'vitest';
import {hintsOf, MOST_HINTS, type FooterHint} from '../../src/tui/core/frame/footer.ts';
import {runAction} from '../support/run-action.ts';
import type {State} from '../../src/tui/core/program.ts';
import {withScene} from './draw.tsx';
import {sceneName, type Scene} from './scene.ts';
import {scenes} from './scenes/index.ts';

const SIZE = {columns: 120, rows: 40};
/**
 * Time limit for the effect of a key, in ms. It is long because a file or a picture may still be
 * loading.
 */
const PATIENCE = 5000;

// Some keys write a file in the working directory.
beforeAll(() => {
	const before = process.cwd();
	process.chdir(mkdtempSync(join(tmpdir(), 'hints-')));
	return () => process.chdir(before);
});

/**
 * Hints of the focused scope, beside `more` and `help`. The answers of the question at the end of
 * the program go to its caller.
 */
const footerOf = (state: State): readonly FooterHint[] =>
	state.dialogs.at(-1)?.kind === 'keep'
		? []
		: hintsOf(state, SIZE).slice(0, MOST_HINTS - (state.dialogs.length > 0 ? 0 : 2));

/** Fault of a key in the footer: it is refused, or has no effect. Undefined if it acts. */
const faultOf = async (scene: Scene, at: number): Promise<string | undefined> => {
	let calls = 0;
	return withScene(
		scene,
		SIZE,
		async ({store, settled}) => {
			const before = store.getState();
			const called = calls;
			const hasActed = (): boolean => store.getState() !== before || calls !== called;
			const hint = footerOf(before)[at];
			if (hint === undefined) return 'it is not offered any more';
			const said = runAction(store.getState, hint.scope, hint.action, SIZE);
			await settled();
			if (said === undefined)
				await vi.waitFor(() => hasActed() || Promise.reject(), PATIENCE).catch(() => {});
			// If the key has an effect, a message is not a refusal.
			return hasActed() ? undefined : `${hint.keys[0]} ${hint.label}: ${said ?? 'nothing happens'}`;
		},
		{onCall: () => calls++, isDrawn: false},
	);
};

describe('each key that a footer offers acts', () => {
	test.each(scenes.map(scene => [sceneName(scene), scene] as const))('%s', async (_, scene) => {
		const count = await withScene(scene, SIZE, ({store}) => footerOf(store.getState()).length, {
			isDrawn: false,
		});
		const faults: string[] = [];
		for (let at = 0; at < count; at++) {
			const fault = await faultOf(scene, at);
			if (fault !== undefined) faults.push(fault);
		}
		expect(faults).toEqual([]);
	});
});
