import {broken, unreachable} from '../data.ts';
import type {Scene} from '../scene.ts';
import {ask, deps, failed, lists, nothing} from './support.ts';

/** The screens that show one list each. */
const screens = ['servers', 'compute', 'environments'] as const;

export const listScenes: readonly Scene[] = screens.flatMap((screen): readonly Scene[] => {
	const scene = (state: string, answer?: Parameters<typeof lists>[0]): Scene => ({
		screen,
		state,
		deps,
		service: () => lists(answer),
		async arrive(store) {
			await ask(store);
			store.getState().go(screen);
		},
	});
	let isAway = false;
	return [
		scene('empty', {[screen]: nothing}),
		scene('loading', {[screen]: 'never'}),
		scene('failed', {[screen]: failed(unreachable(`/${screen}`))}),
		scene('full'),
		{
			...scene('not-renewed'),
			service() {
				isAway = false;
				const answers = () => lists(isAway ? {[screen]: failed(broken(`/${screen}`))} : {});
				return {
					servers: async () => answers().servers!(),
					compute: async () => answers().compute!(),
					environments: async () => answers().environments!(),
				};
			},
			async arrive(store, clock) {
				await ask(store);
				isAway = true;
				clock.pass(95_000);
				await ask(store);
				store.getState().go(screen);
			},
		},
	];
});
