import {typedPlace} from '../../contract/paths.ts';
import type {LineCommand, NumberCommand} from '../core/room.ts';
import {knownPaths, treeOf} from './slice.ts';

/** A number stands for a line of the open file. */
export const toLine: NumberCommand = {
	of: ({viewers, current}) => viewers.get(current ?? '')?.path ?? '',
	run(get, line) {
		const state = get();
		const viewer = state.viewers.get(state.current ?? '');
		if (state.current === null || viewer === undefined)
			return 'Open a file first: its lines are what a number goes to';
		state.goToLine(state.current, line);
		state.focusPart('files', 'viewer');
		state.go('files');
	},
};

/** Of the `:` line. */
export const fileCommands: readonly LineCommand[] = [
	{
		name: 'file',
		argument: 'path[:line]',
		does: 'Open a file of the current server',
		suggest: state => knownPaths(treeOf(state, state.current ?? '')),
		run({get}, argument) {
			const {current} = get();
			if (current === null) return 'Choose a server first';
			const known = knownPaths(treeOf(get(), current));
			const {path, line} = typedPlace(argument, each => known.includes(each));
			get().focusPart('files', 'viewer');
			get().go('files');
			void get().goToPath(current, path, line);
		},
	},
	{
		name: 'edits',
		does: 'Changes that were not saved',
		run({get}) {
			void get()
				.showEdits()
				.then(reason => typeof reason === 'string' && get().notify('info', reason));
		},
	},
];
