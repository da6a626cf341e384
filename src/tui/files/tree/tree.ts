import type {FolderItem} from '../../../api/file-tree.ts';
import type {Remote} from '../../core/store/remote.ts';

export type Folder = Remote<readonly FolderItem[]>;

export type FileTree = {
	/** Folder contents by path; the root is ''. */
	readonly folders: ReadonlyMap<string, Folder>;
	readonly unfolded: ReadonlySet<string>;
	/** Selected path. */
	readonly cursor: string;
	/** True if names that start with a dot are shown. */
	readonly hidden: boolean;
	/**
	 * Source of the listings. `service`: the service. `server`: the server's own API. `code`: code
	 * that runs on the server, with the user's permission. `known`: no source; the tree shows only
	 * paths that were opened here.
	 */
	readonly source: 'service' | 'server' | 'code' | 'known';
	/** True if code has run on the server after these folders were listed. */
	readonly isOutdated: boolean;
	/** Opened files, latest first. */
	readonly recent: readonly string[];
};
