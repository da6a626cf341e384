// Reads the entries of a ZIP archive through its central directory, according to PKWARE's APPNOTE.
import {inflateRawSync} from 'node:zlib';

const END = 0x06_05_4b_50;
const ENTRY = 0x02_01_4b_50;
const LOCAL = 0x04_03_4b_50;
/** Size of the end record without its comment, and maximum size of the comment. */
const END_SIZE = 22;
const MOST_COMMENT = 0xff_ff;
const MOST_ENTRIES = 10_000;

type Entry = {
	readonly method: number;
	readonly size: number;
	readonly at: number;
	readonly isLocked: boolean;
};

const broken = (): Error => new Error('its archive is broken');

const endOf = (view: DataView): number => {
	const first = Math.max(0, view.byteLength - END_SIZE - MOST_COMMENT);
	for (let at = view.byteLength - END_SIZE; at >= first; at--)
		if (view.getUint32(at, true) === END) return at;
	throw broken();
};

const entriesOf = (bytes: Uint8Array, view: DataView): ReadonlyMap<string, Entry> => {
	const end = endOf(view);
	const count = view.getUint16(end + 10, true);
	if (count > MOST_ENTRIES) throw new Error('its archive has too many entries');
	const entries = new Map<string, Entry>();
	let at = view.getUint32(end + 16, true);
	for (let entry = 0; entry < count; entry++) {
		if (view.getUint32(at, true) !== ENTRY) throw broken();
		const [name, extra, comment] = [28, 30, 32].map(offset => view.getUint16(at + offset, true));
		const start = at + 46;
		entries.set(new TextDecoder().decode(bytes.subarray(start, start + (name ?? 0))), {
			isLocked: (view.getUint16(at + 8, true) & 1) !== 0,
			method: view.getUint16(at + 10, true),
			size: view.getUint32(at + 20, true),
			at: view.getUint32(at + 42, true),
		});
		at = start + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
	}
	return entries;
};

/** ZIP archive. The total size of its decompressed entries is limited. */
export type Zip = {
	/**
	 * Content of an entry. Null if there is no such entry.
	 * @throws {Error} if it is broken or too large.
	 */
	read(name: string): Uint8Array | null;
};

/** @throws {Error} if the bytes are not a ZIP archive. */
export const openZip = (bytes: Uint8Array, most: number): Zip => {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (bytes.byteLength < END_SIZE) throw broken();
	let entries: ReadonlyMap<string, Entry>;
	try {
		entries = entriesOf(bytes, view);
	} catch (error) {
		if (error instanceof RangeError) throw broken();
		throw error;
	}
	let left = most;
	const unpack = ({method, size, at, isLocked}: Entry): Uint8Array => {
		if (isLocked) throw new Error('it is protected by a password');
		if (view.getUint32(at, true) !== LOCAL) throw broken();
		const start = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
		const packed = bytes.subarray(start, start + size);
		if (packed.length < size) throw broken();
		if (method === 0) return packed;
		if (method !== 8)
			throw new Error(`its archive uses a compression method that is not supported: ${method}`);
		return inflateRawSync(packed, {maxOutputLength: Math.max(1, left)});
	};
	return {
		read(name) {
			const entry = entries.get(name);
			if (entry === undefined) return null;
			try {
				const found = unpack(entry);
				left -= found.length;
				if (left < 0) throw new RangeError('too large');
				return found;
			} catch (error) {
				const isTooLarge = left < 0 || (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
				if (isTooLarge)
					throw new Error(`it unpacks to more than ${Math.round(most / 1e6)} MB: open it in a cell`, {
						cause: error,
					});
				if (error instanceof RangeError || 'code' in (error as Error)) throw broken();
				throw error;
			}
		},
	};
};
