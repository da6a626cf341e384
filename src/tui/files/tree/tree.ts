import type {FolderItem} from '../../../api/file-tree.ts';
import type {Remote} from '../../core/store/remote.ts';

export type Folder = Remote<readonly FolderItem[]>;

export type FileTree = {
	/** Folder contents by path; the root is ''. */
	readonly folders: ReadonlyMap<string, Folder>;
	readonly unfolded: ReadonlySet<string>;
	/** Path under the cursor. */
	readonly cursor: string;
	/** Names that begin with a dot are shown. */
	readonly hidden: boolean;
	/** Who lists folders: the service; the server itself, over its own interface; code that runs on the server, since the user has allowed it; nobody, so that only paths met here are known. */
	readonly source: 'service' | 'server' | 'code' | 'known';
	/** Code has run on the server since these folders were listed. */
	readonly isOutdated: boolean;
	/** Files that were opened here, the last first. */
	readonly recent: readonly string[];
};
