import type {LineCommand} from '../core/feature.ts';
import {compareNamed} from './commands.ts';
import {route} from '../core/store/route.ts';

export const assistantCommands: readonly LineCommand[] = [
	{
		name: 'compare',
		argument: '[models]',
		does: 'Ask several models the same question',
		suggest: state => state.models.map(({id}) => id),
		run({get}, argument) {
			const server = get().current;
			if (server === null) return 'Choose a server first';
			route(get).go('assistant');
			return compareNamed(get, server, argument);
		},
	},
];
