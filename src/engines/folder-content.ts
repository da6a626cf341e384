import {isUtf8} from 'node:buffer';
import {constants, open, type FileHandle} from 'node:fs/promises';
import {FileFault, type Upload} from './files.ts';

/** Largest file that can be read or written, in bytes: 160 MiB. */
const MAX_FILE_BYTES = 160 * 2 ** 20;

/**
 * Rounds the size up, so that a file slightly above the limit is not reported as having the limit's
 * size.
 */
const tooLarge = (bytes: number): FileFault =>
	new FileFault(
		413,
		`The file has ${Math.ceil(bytes / 2 ** 20).toLocaleString('en')} MiB, and at most ${MAX_FILE_BYTES / 2 ** 20} MiB can be read or written in one piece.`,
	);
const notRegular = (): FileFault =>
	new FileFault(
		400,
		'Only regular files and folders can be read or written; this is a pipe, a socket or a device.',
	);

// Windows lacks both flags. O_NONBLOCK prevents a pipe from blocking one of the few file threads on
// opening.
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Opens a regular file. Checks its type after opening, because it may have been replaced since the
 * last check.
 */
export const openRegular = async (target: string): Promise<FileHandle> => {
	const handle = await open(target, READ);
	try {
		const stats = await handle.stat();
		if (!stats.isFile()) throw notRegular();
		if (stats.size > MAX_FILE_BYTES) throw tooLarge(stats.size);
		return handle;
	} catch (error) {
		await handle.close();
		throw error;
	}
};

export const readRegular = async (target: string): Promise<Buffer> => {
	await using handle = await openRegular(target);
	// Reads only up to the initial size, because reading a growing log might never end.
	const buffer = Buffer.allocUnsafe((await handle.stat()).size);
	let length = 0;
	while (length < buffer.length) {
		const {bytesRead} = await handle.read(buffer, length, buffer.length - length, length);
		if (bytesRead === 0) break;
		length += bytesRead;
	}
	return buffer.subarray(0, length);
};

/** Format in which {@link encodeContent} returns these bytes. */
export const formatOf = (bytes: Buffer): 'text' | 'base64' => (isUtf8(bytes) ? 'text' : 'base64');

/** Returns the bytes as text if they are UTF-8, else as base64, which preserves all bytes. */
export const encodeContent = (bytes: Buffer): {format: 'text' | 'base64'; content: string} =>
	isUtf8(bytes)
		? {format: 'text', content: bytes.toString('utf8')}
		: {format: 'base64', content: bytes.toString('base64')};

export const assertRegular = (stats: {
	isFile(): boolean;
	isSymbolicLink(): boolean;
	isDirectory(): boolean;
}): void => {
	if (stats.isSymbolicLink()) throw new FileFault(403, 'This is a link, and links are not followed.');
	if (!stats.isFile() && !stats.isDirectory()) throw notRegular();
};

/**
 * Bytes of an upload.
 * @throws {FileFault} 400 if the content is invalid for its format, 413 if it is too large.
 */
export const decodeUpload = ({content, format, type, decoded}: Upload): Buffer => {
	if (decoded) return decoded.bytes;
	if (type === 'notebook' || format === 'json')
		throw new FileFault(
			400,
			'Send a notebook as type "file" with format "text" and its JSON text as content.',
		);
	if (typeof content !== 'string') throw new FileFault(400, 'A file needs its content: a string.');
	if (format !== 'base64') {
		if (!content.isWellFormed())
			throw new FileFault(
				400,
				'The text contains an invalid character (lone surrogate) and cannot be stored without loss; send it as base64.',
			);
		const size = Math.max(content.length, Buffer.byteLength(content));
		if (size > MAX_FILE_BYTES) throw tooLarge(size);
		return Buffer.from(content, 'utf8');
	}
	// Removes line breaks: Jupyter breaks base64 every 76 characters.
	const packed = /\s/.test(content) ? content.replaceAll(/\s+/g, '') : content;
	if (packed.length / 4 > MAX_FILE_BYTES / 3 + 1) throw tooLarge((packed.length / 4) * 3);
	// `Buffer.from` silently skips invalid characters.
	if (packed.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(packed))
		throw new FileFault(400, 'The content is not valid base64.');
	const bytes = Buffer.from(packed, 'base64');
	if (bytes.length > MAX_FILE_BYTES) throw tooLarge(bytes.length);
	return bytes;
};

/** Media type of a file without a known extension. */
export const unnamedType = (format: 'text' | 'base64'): string =>
	format === 'text' ? 'text/plain' : 'application/octet-stream';
