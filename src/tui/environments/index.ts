import {screen} from '../core/feature.ts';
import {environmentHandlers, environmentLabel} from './handlers.ts';
import {environmentKeys, environmentsTab} from './keys.ts';
import {EnvironmentsScreen} from './screen.tsx';
import {environmentList, type EnvironmentsState} from './environments.ts';

type Keys = typeof environmentKeys;

declare module '../core/program.ts' {
	interface State extends EnvironmentsState {}
	interface Keymap extends Keys {}
	interface Screens {
		environments: true;
	}
}

export const environments = screen({
	...environmentsTab,
	command: {does: 'The environments', hasFilter: true},
	parts: [environmentList],
	keys: environmentKeys,
	handlers: environmentHandlers,
	refresh: state => void environmentList(state.app).refreshEnvironments(),
	failure: state => state.environments.failure,
	labelNow: environmentLabel,
	Screen: EnvironmentsScreen,
});
