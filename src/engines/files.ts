import {createHash} from 'node:crypto';
import type {FileEntry, UploadRequest} from '../contract/files.ts';

/** Failed file operation. The message is a sentence that contains no paths of the host. */
export class FileFault extends Error {
	readonly status: 400 | 403 | 404 | 409 | 412 | 413 | 500 | 507;
	constructor(status: FileFault['status'], message: string) {
		super(message);
		this.status = status;
	}
}

/** SHA-256 in hex. */
export const digestOf = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Condition for replacing a file: its content must have one of these SHA-256 digests. `*` accepts
 * any content.
 */
export type ExpectedContent = '*' | readonly string[];

/** Content of a large file, read on demand. */
export type LargeContent = {
	readonly format: 'text' | 'base64';
	/** In bytes. */
	readonly size: number;
	/** Result of {@link digestOf}. */
	readonly digest: string;
	/**
	 * Content as the inside of a JSON string, in pieces.
	 * @throws {Error} at the end if the file has changed.
	 */
	json(): AsyncIterable<Buffer>;
};

/** Bytes of an upload that another thread has decoded. `digest`: result of {@link digestOf}. */
export type DecodedUpload = {readonly bytes: Buffer; readonly digest: string};
/** Request to save a file. `content` is empty if `decoded` is set. */
export type Upload = UploadRequest & {readonly decoded?: DecodedUpload | undefined};

/**
 * File operations on a server. Paths are decoded, relative to the server's root, and separated by
 * `/`. All methods throw {@link FileFault}.
 */
export interface Files {
	get(path: string): Promise<FileEntry>;
	/**
	 * Same as `get` for a large file, except that its content is read on demand. Undefined for
	 * other entries.
	 */
	large?(path: string): Promise<{readonly entry: FileEntry; readonly large: LargeContent} | undefined>;
	put(path: string, upload: Upload, expected?: ExpectedContent): Promise<FileEntry>;
}
