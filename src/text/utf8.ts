/** True for a UTF-8 byte that does not start a character. */
export const isContinuation = (byte: number | undefined): boolean =>
	byte !== undefined && (byte & 0xc0) === 0x80;

/** Number of bytes at the end that are part of an incomplete character. */
export const unfinishedCharacter = (bytes: Uint8Array): number => {
	for (let back = 1; back <= Math.min(3, bytes.length); back++) {
		const byte = bytes[bytes.length - back] ?? 0;
		if (isContinuation(byte)) continue;
		const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
		return length > back ? back : 0;
	}
	return 0;
};
