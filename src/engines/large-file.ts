// Reads large files in pieces: once to find their format and digest, and once to send them. Holding
// a file in memory as bytes, text and JSON would take several times its size.
import {isUtf8} from 'node:buffer';
import {createHash} from 'node:crypto';
import type {FileHandle} from 'node:fs/promises';
import type {LargeContent} from './files.ts';
import {bulkTurn} from '../machine/bulk-turn.ts';
import {unfinishedCharacter} from '../text/utf8.ts';
import {openRegular} from './folder-content.ts';

/** Maximum size of a file that is read into memory at once, in bytes. */
export const MOST_HELD = 4 << 20;
/** Size of a piece when reading, in bytes. */
const LOOKED_AT = 1 << 18;
/** Size of a piece when sending, in bytes. For base64 it must be a multiple of three. */
const SENT = {text: 1 << 16, base64: 3 << 14} as const;

/**
 * Yields at most the first `size` bytes of a file. All pieces share one buffer, so each is valid
 * only until the next.
 */
async function* piecesOf(
	handle: FileHandle,
	size: number,
	length: number,
	{
		whole = false,
	}: {
		/** Never splits a UTF-8 character. */
		readonly whole?: boolean;
	} = {},
): AsyncGenerator<Buffer> {
	const buffer = Buffer.allocUnsafeSlow(length);
	let filled = 0;
	let isOver = false;
	for (let at = 0; at < size && !isOver;) {
		do {
			const {bytesRead} = await handle.read(buffer, filled, Math.min(length - filled, size - at), at);
			isOver = bytesRead === 0;
			filled += bytesRead;
			at += bytesRead;
		} while (!isOver && filled < length && at < size);
		const kept = whole && !isOver && at < size ? unfinishedCharacter(buffer.subarray(0, filled)) : 0;
		await bulkTurn();
		yield buffer.subarray(0, filled - kept);
		buffer.copyWithin(0, filled - kept, filled);
		filled = kept;
	}
}

/** Piece of a file as the inside of a JSON string. */
const inJson = (piece: Buffer, format: 'text' | 'base64'): Buffer => {
	if (format === 'base64') return Buffer.from(piece.toString('base64'), 'latin1');
	// JSON does not escape the bytes of non-ASCII characters, so treating them as Latin-1 preserves
	// them.
	const quoted = JSON.stringify(piece.toString('latin1'));
	return Buffer.from(quoted, 'latin1').subarray(1, -1);
};

async function* jsonOf(
	target: string,
	format: 'text' | 'base64',
	digest: string,
	size: number,
): AsyncGenerator<Buffer> {
	await using handle = await openRegular(target);
	const hash = createHash('sha256');
	for await (const piece of piecesOf(handle, size, SENT[format])) {
		hash.update(piece);
		yield inJson(piece, format);
	}
	if (hash.digest('hex') !== digest) throw new Error('A file changed while it was sent.');
}

/**
 * Content of a large file: text if it is UTF-8, else base64. Ignores bytes that are appended while
 * it is read.
 */
export const readLarge = async (target: string): Promise<LargeContent> => {
	await using handle = await openRegular(target);
	const {size} = await handle.stat();
	const hash = createHash('sha256');
	let isText = true;
	for await (const piece of piecesOf(handle, size, LOOKED_AT, {whole: true})) {
		hash.update(piece);
		isText &&= isUtf8(piece);
	}
	const format = isText ? 'text' : 'base64';
	const digest = hash.digest('hex');
	return {format, digest, size, json: () => jsonOf(target, format, digest, size)};
};
