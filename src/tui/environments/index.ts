import {screen} from '../core/feature.ts';
import {environmentKeys, environmentsTab, list} from './keys.ts';
import {EnvironmentsScreen} from './screen.tsx';
import {environmentList, type EnvironmentsState} from './environments.ts';

declare module '../core/program.ts' {
	interface State extends EnvironmentsState {}
	interface Scopes {
		environments: true;
	}
	interface Screens {
		environments: true;
	}
}

export const environments = screen({
	...environmentsTab,
	command: {does: 'Show the environments', hasFilter: true},
	parts: [environmentList],
	keys: environmentKeys,
	handlers: {filter: list.filter},
	refresh: state => void environmentList(state.app).refreshEnvironments(),
	list: ({app, environments: remote}) => ({remote, stop: () => environmentList(app).stopLoading()}),
	failure: state => state.environments.failure,
	Screen: EnvironmentsScreen,
});
