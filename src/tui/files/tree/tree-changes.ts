// The tree right after an entry was renamed, created or deleted. Shown until the folders are listed
// again. Pure.
import {nameOf, parentOf, parentsOf} from '../../../contract/paths.ts';
import type {FolderItem} from '../../../api/file-tree.ts';
import {inFileOrder} from '../../../text/file-order.ts';
import type {FileTree, Folder} from './tree.ts';
import {isWithin, movedPath} from './tree-paths.ts';

const withLeaf = (folder: Folder, leaf: FolderItem): Folder =>
	folder.value === undefined
		? folder
		: {...folder, value: inFileOrder([...folder.value.filter(({path}) => path !== leaf.path), leaf])};

const add = (folders: FileTree['folders'], leaf: FolderItem): FileTree['folders'] => {
	const above = folders.get(parentOf(leaf.path));
	return above ? new Map(folders).set(parentOf(leaf.path), withLeaf(above, leaf)) : folders;
};

export const treeWithFolder = (tree: FileTree, path: string): Partial<FileTree> => ({
	folders: add(tree.folders, {name: nameOf(path), path, isFolder: true, size: null, modified: null}),
	unfolded: new Set([...tree.unfolded, ...parentsOf(path)]),
	cursor: path,
});

/** The tree without the entry at a path and everything below it. */
export const treeWithout = (tree: FileTree, gone: string): Partial<FileTree> => ({
	folders: new Map(
		[...tree.folders]
			.filter(([path]) => !isWithin(path, gone))
			.map(([path, folder]) => [
				path,
				folder.value ? {...folder, value: folder.value.filter(leaf => leaf.path !== gone)} : folder,
			]),
	),
	unfolded: new Set([...tree.unfolded].filter(path => !isWithin(path, gone))),
	recent: tree.recent.filter(path => !isWithin(path, gone)),
});

export const treeMoved = (tree: FileTree, from: string, to: string): Partial<FileTree> => {
	const after = (path: string): string => movedPath(path, from, to);
	const leafAfter = (leaf: FolderItem): FolderItem => {
		const path = after(leaf.path);
		return path === leaf.path ? leaf : {...leaf, path, name: nameOf(path)};
	};
	const moved = tree.folders.get(parentOf(from))?.value?.find(({path}) => path === from);
	const folders = new Map(
		[...tree.folders].map(([path, folder]) => [
			after(path),
			folder.value === undefined
				? folder
				: {...folder, value: folder.value.filter(leaf => leaf.path !== from).map(leafAfter)},
		]),
	);
	return {
		folders: moved ? add(folders, leafAfter(moved)) : folders,
		unfolded: new Set([...[...tree.unfolded].map(after), ...parentsOf(to)]),
		cursor: after(tree.cursor),
		recent: [...new Set(tree.recent.map(after))],
	};
};
