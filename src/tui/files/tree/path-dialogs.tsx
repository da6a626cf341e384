import {typedPlace} from '../../../contract/paths.ts';
import {knownPaths, treeOf, fileListing} from './listing.ts';
import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import {wrap} from '../../../text/width/wrap.ts';
import {chooser, type Choice} from '../../core/dialogs/chooser.tsx';
import {question, QuestionBox} from '../../core/dialogs/question.tsx';
import {route} from '../../core/store/route.ts';

/**
 * Opens a file by its path, and offers opened files and files of loaded folders. The user may type
 * any other path, with `:120` for line 120.
 */
export const goToPath = chooser(
	{kind: 'go-to-path', line: ({server}) => ({field: 'go-to-path', server})},
	({get}, {server}) => {
		const tree = treeOf(get(), server);
		const known = knownPaths(tree);
		const isKnown = (path: string): boolean => known.includes(path);
		const go = (typed: string): void => {
			const {path, line} = typedPlace(typed, isKnown);
			route(get).focusPart('files', 'viewer');
			route(get).go('files');
			void fileListing(get).goToPath(server, path, line);
		};
		const choiceOf = (path: string, line: string): Choice => ({
			text: path,
			section: tree.recent.includes(path) ? 'Opened before' : 'In the folders seen',
			completes: path,
			choose: () => go(path + line),
		});
		return {
			title: 'Go to a path',
			enterLabel: 'open',
			empty: "Type the path of a file from the server's root.",
			choicesFor(typed) {
				const {path, line} = typedPlace(typed, isKnown);
				const suffix = line === undefined ? '' : `:${line}`;
				const fitting = fuzzyFilter(path, known, each => each).map(each => choiceOf(each, suffix));
				const own: readonly Choice[] =
					path === '' || known.includes(path)
						? []
						: [{text: typed.trim(), note: 'as typed', choose: () => go(typed)}];
				// A path with a slash is probably meant literally, so the typed path comes first.
				return path.includes('/') ? [...own, ...fitting] : [...fitting, ...own];
			},
		};
	},
);

/** Asks once whether code may run on a server to list its files. */
export const listByCode = question({
	kind: 'list-by-code',
	onYes: (get, {server}) => fileListing(get).listByCode(server),
	Dialog: ({body}) => (
		<QuestionBox
			title="List the files by code?"
			body={body}
			text={width =>
				wrap(
					'For each folder that you open, one line of Python runs in the kernel of this server and prints what is there. It counts as a cell and leaves no variable behind. It waits while a cell of yours runs.',
					width,
				)
			}
			yes="list them by code"
		/>
	),
});
