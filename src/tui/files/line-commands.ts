import {typedPlace} from '../../contract/paths.ts';
import type {LineCommand, NumberCommand} from '../core/feature.ts';
import {knownPaths, treeOf, fileListing} from './tree/listing.ts';
import {fileSearch, openSearch} from './search/file-search.ts';
import {fileViewer} from './viewer/open-file.ts';
import {route} from '../core/store/route.ts';
import {unsavedEdits} from './saving/unsaved-edits.ts';
import {notices} from '../core/store/notices.ts';

/** Effect of a number on the `:` line: it is a line of the open file. */
export const toLine: NumberCommand = {
	of: ({viewers, current}) => viewers.get(current ?? '')?.path ?? '',
	run(get, line) {
		const state = get();
		const viewer = state.viewers.get(state.current ?? '');
		if (state.current === null || viewer === undefined)
			return 'Open a file first: a number goes to one of its lines';
		fileViewer(get).goToLine(state.current, line);
		route(get).focusPart('files', 'viewer');
		route(get).go('files');
	},
	mark(get, from, to) {
		const reason = toLine.run(get, from);
		if (reason !== undefined) return reason;
		const {viewers, current} = get();
		const viewer = viewers.get(current ?? '');
		if (current === null || viewer === undefined) return;
		// Marked lines are counted from 0.
		const last = Math.max(1, viewer.known);
		fileViewer(get).changeViewer(current, {
			mark: {from: Math.min(from, last) - 1, to: Math.min(to, last) - 1},
		});
	},
};

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
			route(get).focusPart('files', 'viewer');
			route(get).go('files');
			void fileListing(get).goToPath(current, path, line);
		},
	},
	{
		name: 'grep',
		argument: 'pattern',
		does: 'Search in all files of the current server',
		run({get}, argument) {
			const {current} = get();
			if (current !== null && argument !== '') {
				route(get).keepLine('search-files', current, argument);
				fileSearch(get).start(current, argument);
			}
			return openSearch({get});
		},
	},
	{
		name: 'edits',
		does: 'Show unsaved edits',
		run({get}) {
			void unsavedEdits(get)
				.showEdits()
				.then(reason => typeof reason === 'string' && notices(get).notify('info', reason));
		},
	},
];
