import {filesBelow, isListingUnsupported, type FolderItem} from '../api/file-tree.ts';
import {label} from '../text/safe.ts';
import {usageError} from './command-error.ts';
import type {Context} from './context.ts';
import type {OnServer} from './on-server.ts';

/** Files below a folder on the server, by relative path. Null if the service lists no folders. */
export type RemoteListing = {
	readonly files: ReadonlyMap<string, FolderItem>;
	readonly folders: ReadonlySet<string>;
	readonly missed: readonly {readonly below: string; readonly why: string}[];
} | null;

export const EMPTY_LISTING: NonNullable<RemoteListing> = {files: new Map(), folders: new Set(), missed: []};

/** Listing of a folder on the server. @throws {CommandError} if it is a file, or the call fails. */
export const listingOf = async (
	{signal}: Context,
	{service: {client}, explain}: OnServer,
	server: string,
	root: string,
): Promise<RemoteListing> => {
	const first = await client.getFile(server, root, {signal});
	if (first.ok) {
		if (first.value.type !== 'directory')
			throw usageError(
				`${label(root, 200)} is a file on the server.`,
				'Name a folder; it is created if missing.',
			);
		const {files, folders, missed} = await filesBelow(
			client,
			server,
			{path: root, entry: first.value},
			{signal},
		);
		signal.throwIfAborted();
		return {files: new Map(files.map(leaf => [leaf.below, leaf])), folders: new Set(folders), missed};
	}
	if (!isListingUnsupported(first.failure)) throw await explain(first.failure);
	// A service that cannot list folders may give the same response for existing and missing
	// folders.
	const isNew =
		first.failure.kind === 'not-found' &&
		root !== '' &&
		(await client.getFile(server, '', {signal}).then(reply => reply.ok && reply.value.type === 'directory'));
	return isNew ? EMPTY_LISTING : null;
};
