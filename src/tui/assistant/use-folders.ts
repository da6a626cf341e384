import {useEffect} from 'react';
import {namesOf} from '../../contract/paths.ts';
import {treeOf, fileListing} from '../files/tree/listing.ts';
import {useApp, useGetState} from '../core/store-context.ts';

/** Maximum number of folders that are loaded for mentions. */
const MOST = 60;

/**
 * Loads the folders of the server one after the other, outer folders first, while the user types
 * the mention of a file.
 */
export const useFolders = (server: string, isWanted: boolean): void => {
	const get = useGetState();
	const folders = useApp(state => treeOf(state, server)).folders;
	useEffect(() => {
		if (
			!isWanted ||
			folders.size >= MOST ||
			[...folders.values()].some(folder => folder.status === 'loading')
		)
			return;
		const inner = [...folders.values()]
			.flatMap(folder => folder.value ?? [])
			.filter(leaf => leaf.isFolder && !leaf.name.startsWith('.'));
		const next = folders.has('')
			? inner
					.map(leaf => leaf.path)
					.sort((a, b) => namesOf(a).length - namesOf(b).length)
					.find(path => !folders.has(path))
			: '';
		if (next !== undefined) void fileListing(get).loadFolder(server, next);
	}, [get, server, isWanted, folders]);
};
