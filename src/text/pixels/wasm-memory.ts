// Constants of WebAssembly's binary format:
// https://webassembly.github.io/spec/core/binary/modules.html
const HEADER = 8;
const MEMORIES = 5;

/** Unsigned LEB128 number, and the offset after it. */
const numberAt = (bytes: Uint8Array, from: number): {readonly value: number; readonly end: number} => {
	let value = 0;
	for (let at = from; ; at++) {
		const byte = bytes[at] ?? 0;
		value += (byte & 127) * 128 ** (at - from);
		if (byte < 128) return {value, end: at + 1};
	}
};

const numberBytes = (value: number): readonly number[] =>
	value < 128 ? [value] : [(value % 128) + 128, ...numberBytes(Math.floor(value / 128))];

/**
 * Limits the memory of a module to `pages` of 64 KiB, because a thread's resource limits do not
 * include WebAssembly memory.
 * @throws {Error} if the module has no memory.
 */
export const withMostMemory = (wasm: Uint8Array, pages: number): Uint8Array => {
	for (let at = HEADER; at < wasm.length;) {
		const size = numberAt(wasm, at + 1);
		const next = size.end + size.value;
		if (wasm[at] === MEMORIES) {
			const least = numberAt(wasm, size.end + 2);
			const memory = [1, 1, ...numberBytes(least.value), ...numberBytes(pages)];
			const section = [MEMORIES, ...numberBytes(memory.length), ...memory];
			return Buffer.concat([wasm.subarray(0, at), Buffer.from(section), wasm.subarray(next)]);
		}
		at = next;
	}
	throw new Error('the module has no memory');
};
