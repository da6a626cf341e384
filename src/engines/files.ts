import type {FileEntry, UploadRequest} from '../contract/files.ts';

/** Why a file operation cannot be done: an HTTP status and one sentence for the user, without paths of the host. */
export class FileFault extends Error {
	readonly status: 400 | 403 | 404 | 409 | 413 | 500 | 507;
	constructor(status: FileFault['status'], message: string) {
		super(message);
		this.status = status;
	}
}

/** Files of one server. Paths are relative to its root, decoded, with `/`; the empty path is the root. All throw {@link FileFault}. */
export interface Files {
	get(path: string): Promise<FileEntry>;
	put(path: string, upload: UploadRequest): Promise<FileEntry>;
}
