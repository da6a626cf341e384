// Decompresses LZ4 frames (lz4_Frame_format.md, lz4_Block_format.md). Does not support
// dictionaries.
const MAGIC = 0x184d2204;
const SHORTEST_MATCH = 4;

const cutOff = (): never => {
	throw new Error('its LZ4 data is broken');
};

const createOutput = (most: number) => {
	let bytes = new Uint8Array(Math.min(most, 65_536));
	let length = 0;
	const reserve = (more: number): void => {
		if (length + more > most) throw new RangeError('LZ4 output is too long');
		if (length + more <= bytes.length) return;
		const longer = new Uint8Array(Math.min(most, Math.max(bytes.length * 2, length + more)));
		longer.set(bytes.subarray(0, length));
		bytes = longer;
	};
	return {
		append(part: Uint8Array): void {
			reserve(part.length);
			bytes.set(part, length);
			length += part.length;
		},
		/** Copies a match. It may overlap its own copy, so the bytes are copied one at a time. */
		repeat(distance: number, count: number): void {
			if (distance === 0 || distance > length) cutOff();
			reserve(count);
			for (let left = count; left > 0; left--, length++) bytes[length] = bytes[length - distance] ?? 0;
		},
		done: () => bytes.subarray(0, length),
	};
};

type Output = ReturnType<typeof createOutput>;

const readBlock = (block: Uint8Array, output: Output): void => {
	let at = 0;
	const byte = (): number => block[at++] ?? cutOff();
	const lengthFrom = (nibble: number): number => {
		let length = nibble;
		if (nibble < 15) return length;
		for (let more = 255; more === 255; length += more) more = byte();
		return length;
	};
	while (at < block.length) {
		const token = byte();
		const literals = lengthFrom(token >> 4);
		if (at + literals > block.length) cutOff();
		output.append(block.subarray(at, at + literals));
		at += literals;
		if (at === block.length) return;
		const distance = byte() | (byte() << 8);
		output.repeat(distance, lengthFrom(token & 15) + SHORTEST_MATCH);
	}
};

/**
 * Decompresses an LZ4 frame. Does not verify checksums.
 * @throws {RangeError} if the content has more than `most` bytes.
 * @throws {Error} if the frame is broken or cut off.
 */
export const unpackLz4 = (frame: Uint8Array, most: number): Uint8Array => {
	const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
	if (frame.length < 7 || view.getUint32(0, true) !== MAGIC) return cutOff();
	const flags = frame[4] ?? 0;
	const hasBlockChecksum = (flags & 0x10) !== 0;
	let at = 6 + ((flags & 0x08) === 0 ? 0 : 8) + ((flags & 0x01) === 0 ? 0 : 4) + 1;
	const output = createOutput(most);
	for (;;) {
		if (at + 4 > frame.length) return cutOff();
		const size = view.getUint32(at, true);
		at += 4;
		if (size === 0) return output.done();
		const isPlain = size > 0x7fff_ffff;
		const end = at + (size & 0x7fff_ffff);
		if (end > frame.length) return cutOff();
		const block = frame.subarray(at, end);
		if (isPlain) output.append(block);
		else readBlock(block, output);
		at = end + (hasBlockChecksum ? 4 : 0);
	}
};
