import {typedPlace} from '../../contract/paths.ts';
import {languageOfFile} from '../../text/python/code-language.ts';
import type {LineCommand, NumberCommand} from '../core/feature.ts';
import type {State} from '../core/program.ts';
import {attach, restoreQuestion, runInRepl} from './ports.ts';
import {dedented, markedText} from './viewer-keys.ts';
import {knownPaths, treeOf, fileListing} from './tree/listing.ts';
import {fileSearch, openSearch} from './search/file-search.ts';
import {fileViewer, lineIndexOf, type Viewer} from './viewer/open-file.ts';
import {route} from '../core/store/route.ts';
import {unsavedEdits} from './saving/unsaved-edits.ts';
import {notices} from '../core/store/notices.ts';

/**
 * The line of the last jump counts as current while it is within this many lines below the top row.
 */
const NEAR = 60;

const viewerOf = ({viewers, current}: State): Viewer | undefined => viewers.get(current ?? '');

/** A number on the `:` line jumps to that line of the open file. */
export const toLine: NumberCommand = {
	scope: 'viewer',
	of: state => viewerOf(state)?.path ?? '',
	at(state) {
		const viewer = viewerOf(state);
		if (viewer === undefined) return {line: 1, count: 1};
		const {top, line, mark, known} = viewer;
		const jumped = line !== null && line >= top.line && line < top.line + NEAR ? line : top.line;
		return {line: (mark?.to ?? jumped) + 1, count: Math.max(1, known)};
	},
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
	runRange(get, from, to) {
		const state = get();
		const viewer = viewerOf(state);
		const {value} = viewer?.file ?? {};
		const index = value && lineIndexOf(value);
		if (state.current === null || viewer === undefined || !index) return 'Open a file of text first';
		if (from > index.count) return `${viewer.path} has ${index.count} lines`;
		const language = languageOfFile(viewer.path) ?? '';
		const code = markedText({index}, {from: from - 1, to: Math.min(to, index.count) - 1});
		const needed = language === 'markdown' ? '' : language;
		const other = runInRepl(get, state.current, [dedented(code)], needed);
		return other === undefined ? undefined : `This file is ${other}: the kernel does not run it`;
	},
	ask(get, from, to, question) {
		const {current} = get();
		const path = viewerOf(get())?.path;
		if (current === null || path === undefined) return 'Open a file first';
		const reason = attach(get, {kind: 'file', path, from, to});
		if (typeof reason === 'string') return reason;
		if (question !== '') restoreQuestion(get, current, question);
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
