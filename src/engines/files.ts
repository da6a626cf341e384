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

/** What a large file holds, without holding it. */
export type LargeContent = {
	readonly format: 'text' | 'base64';
	/** Bytes of the file. */ readonly size: number;
	/** As {@link digestOf} has it. */ readonly digest: string;
	/** The content as it stands within a JSON string, piece by piece. @throws where the file does not hold the same any more, at its end. */
	json(): AsyncIterable<Buffer>;
};

/** Files of one server. Paths are relative to its root, decoded, with `/`; the empty path is the root. All throw {@link FileFault}. */
export interface Files {
	get(path: string): Promise<FileEntry>;
	/** As `get`, with the content of a large file apart; undefined for a folder and for a file that is held whole. */
	large?(path: string): Promise<{readonly entry: FileEntry; readonly large: LargeContent} | undefined>;
	put(path: string, upload: UploadRequest, expected?: ExpectedContent): Promise<FileEntry>;
}
