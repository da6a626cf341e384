// A large file is read piece by piece, twice: held as bytes, as text and as JSON it would take several times its size.
import {isUtf8} from 'node:buffer';
import {createHash} from 'node:crypto';
import type {FileHandle} from 'node:fs/promises';
import type {LargeContent} from './files.ts';
import {unfinishedCharacter} from '../text/utf8.ts';
import {openRegular} from './folder-content.ts';

/** Bytes of a file that is held whole. */
export const MOST_HELD = 4 << 20;
/** Bytes that are looked at at a time. */
const LOOKED_AT = 1 << 18;
/** Bytes that are sent at a time; of base64 a multiple of three. */
const SENT = {text: 1 << 16, base64: 3 << 14} as const;

/** The first `size` bytes, or fewer where the file ends before. A piece is read into the buffer of the one before. */
async function* piecesOf(
	handle: FileHandle,
	size: number,
	length: number,
	{whole = false}: {/** Ends no piece within a character. */ readonly whole?: boolean} = {},
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
		yield buffer.subarray(0, filled - kept);
		buffer.copyWithin(0, filled - kept, filled);
		filled = kept;
	}
}

/** A piece of a file as it stands within a JSON string. */
const inJson = (piece: Buffer, format: 'text' | 'base64'): Buffer => {
	if (format === 'base64') return Buffer.from(piece.toString('base64'), 'latin1');
	// JSON escapes nothing that is a byte of a character beyond ASCII: as Latin-1 these stay what they are.
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

/** What a regular file of so many bytes holds: text where they are UTF-8, else base64. What it grows by meanwhile is left out. */
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
