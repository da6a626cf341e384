import {createHash} from 'node:crypto';
import type {FileEntry, UploadRequest} from '../contract/files.ts';

/** Why a file operation cannot be done: an HTTP status and one sentence for the user, without paths of the host. */
export class FileFault extends Error {
	readonly status: 400 | 403 | 404 | 409 | 412 | 413 | 500 | 507;
	constructor(status: FileFault['status'], message: string) {
		super(message);
		this.status = status;
	}
}

/** The SHA-256 of a file's bytes, in hex. */
export const digestOf = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** What a file must hold to be replaced: one of these {@link digestOf | digests}, or `*` for anything as long as it is there. */
export type ExpectedContent = '*' | readonly string[];

/** Files of one server. Paths are relative to its root, decoded, with `/`; the empty path is the root. All throw {@link FileFault}. */
export interface Files {
	get(path: string): Promise<FileEntry>;
	put(path: string, upload: UploadRequest, expected?: ExpectedContent): Promise<FileEntry>;
}
