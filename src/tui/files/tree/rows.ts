import {listFilter} from '../../../query/text-filter.ts';
import {MOST_BY_CODE} from './list-by-code.ts';
import type {FileTree, Folder} from './tree.ts';
import type {FolderItem} from '../../../api/file-tree.ts';

export type TreeRow = FolderItem & {
	readonly depth: number;
	readonly unfolded: boolean;
	readonly note: string | null;
	/** True if the note is a failure. */
	readonly hasFailed?: boolean;
};

/** True if the folder was listed by code, which stops at a maximum and may have omitted entries. */
export const isCutShort = ({source}: Pick<FileTree, 'source'>, folder: Folder | undefined): boolean =>
	source === 'code' && (folder?.value?.length ?? 0) >= MOST_BY_CODE;

const noteOf = (tree: Pick<FileTree, 'source'>, folder: Folder | undefined): string | null => {
	if (folder?.status === 'failed') return folder.failure?.message ?? 'failed';
	if (folder?.status === 'loading' && folder.value === undefined) return 'asking …';
	if (isCutShort(tree, folder)) return `the first ${MOST_BY_CODE.toLocaleString('en')} only`;
	return folder?.value?.length === 0 ? 'empty' : null;
};

const matches = listFilter<FolderItem>(({path}) => path);

const bare = (path: string): TreeRow => ({
	name: path,
	path,
	isFolder: false,
	size: null,
	modified: null,
	depth: 0,
	unfolded: false,
	note: null,
});

/**
 * The tree as rows, top to bottom. The `note` of a folder reports that it is loading, empty,
 * incomplete or failed. With a filter, the rows are the matches in all loaded folders, by path.
 */
export const treeRows = (tree: Omit<FileTree, 'cursor' | 'isOutdated'>, typed = ''): readonly TreeRow[] => {
	const isShown = ({name, isIgnored}: FolderItem): boolean =>
		tree.hidden || (!name.startsWith('.') && isIgnored !== true);
	const rows: TreeRow[] = [];
	/**
	 * Each path has one row, because the cursor is stored by path. This also ends the recursion for
	 * a folder that contains itself.
	 */
	const seen = new Set<string>();
	const isFirst = ({path}: FolderItem): boolean => path !== '' && !seen.has(path) && seen.add(path) === seen;
	if (typed.trim() !== '') {
		const known = [...tree.folders.values()]
			.flatMap(folder => folder.value ?? [])
			.filter(isShown)
			.filter(isFirst);
		return matches(known, typed)
			.toSorted((a, b) => (a.path < b.path ? -1 : 1))
			.map(leaf => ({
				...leaf,
				name: leaf.path,
				depth: 0,
				unfolded: leaf.isFolder && tree.unfolded.has(leaf.path),
				note: null,
			}));
	}
	if (tree.source === 'known') return tree.recent.map(bare).filter(isFirst);
	const walk = (path: string, depth: number): void => {
		for (const leaf of tree.folders.get(path)?.value ?? []) {
			if (!isShown(leaf) || !isFirst(leaf)) continue;
			const unfolded = leaf.isFolder && tree.unfolded.has(leaf.path);
			const folder = unfolded ? tree.folders.get(leaf.path) : undefined;
			rows.push({
				...leaf,
				depth,
				unfolded,
				note: noteOf(tree, folder),
				hasFailed: folder?.status === 'failed',
			});
			if (unfolded) walk(leaf.path, depth + 1);
		}
	};
	walk('', 0);
	return rows;
};

/**
 * The cursor after the selected entry has disappeared: the nearest entry below it, else the nearest
 * above.
 */
export const cursorAfter = (
	before: readonly TreeRow[],
	after: readonly TreeRow[],
	cursor: string,
): string => {
	const there = new Set(after.map(({path}) => path));
	const at = before.findIndex(({path}) => path === cursor);
	if (at === -1 || there.has(cursor)) return cursor;
	const stays = ({path}: TreeRow): boolean => there.has(path);
	return (before.slice(at).find(stays) ?? before.slice(0, at).findLast(stays))?.path ?? cursor;
};
