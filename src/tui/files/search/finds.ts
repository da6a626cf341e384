// Entries of the command palette that find files by name, and text in files.
import {wordsTest} from '../../../query/text-filter.ts';
import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import {label} from '../../../text/safe.ts';
import type {Find} from '../../core/feature.ts';
import type {State} from '../../core/program.ts';
import {lastResult} from '../../core/store/last-result.ts';
import {route} from '../../core/store/route.ts';
import {fileListing, knownPaths, treeOf} from '../tree/listing.ts';
import {fileSearch, openSearch, type FileNames} from './file-search.ts';
import type {FileTree} from '../tree/tree.ts';

const MOST = 200;

const pathsOf = lastResult((tree: FileTree, names: FileNames | null, server: string): readonly string[] => [
	...new Set([...knownPaths(tree), ...(names?.server === server ? names.paths : [])]),
]);
/**
 * Paths that contain each word. If there are none and `isOnly` is set, fuzzy matches: paths that
 * contain the letters in order.
 */
const named = lastResult((paths: readonly string[], words: string, isOnly: boolean): readonly string[] => {
	const near = paths.filter(wordsTest(words));
	const found = near.length > 0 || !isOnly ? near : paths;
	return fuzzyFilter(words.replaceAll(/\s+/g, near.length > 0 ? '' : ' '), found, path => path).slice(
		0,
		MOST,
	);
});

const sectionFor =
	(words: string) =>
	({current}: State): string =>
		current === null ? words : `${words} of ${label(current, 40)}`;

const files: Find = {
	order: 3,
	prefix: '@',
	name: 'files',
	screen: 'files',
	section: sectionFor('Files'),
	hits(get, words, isOnly = false) {
		const {current, fileNames} = get();
		if (current === null || words === '') return [];
		return named(pathsOf(treeOf(get(), current), fileNames, current), words, isOnly).map(path => ({
			name: path.split('/').at(-1) ?? path,
			choice: {
				id: `file ${path}`,
				text: label(path, 300),
				enterLabel: 'open',
				note: 'open',
				choose() {
					route(get).focusPart('files', 'viewer');
					route(get).go('files');
					void fileListing(get).goToPath(current, path);
				},
			},
		}));
	},
	load(get) {
		const {current} = get();
		if (current !== null) void fileSearch(get).listNames(current);
	},
};

const text: Find = {
	order: 4,
	prefix: '#',
	name: 'text',
	section: sectionFor('Text in files'),
	hits(get, words) {
		const {current} = get();
		if (current === null || words === '') return [];
		return [
			{
				// The search entry has no name, so that it never ranks as the best match.
				name: '',
				choice: {
					id: 'text',
					text: `Search for “${label(words, 60)}” in all files`,
					enterLabel: 'search',
					note: 'search',
					choose() {
						route(get).keepLine('search-files', current, words);
						fileSearch(get).start(current, words);
						return openSearch({get});
					},
				},
			},
		];
	},
};

export const fileFinds: readonly Find[] = [files, text];
