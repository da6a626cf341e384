import {expect, test} from 'vitest';
import {withMostMemory} from '../../../src/text/pixels/wasm-memory.ts';

/** A module with a memory of one page under the name `m`, and a section before it. */
const MODULE = Buffer.from([
	...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
	...[0, 3, 1, 0x61, 0x62],
	...[5, 3, 1, 0, 1],
	...[7, 5, 1, 1, 0x6d, 2, 0],
]);

const memoryOf = async (bytes: Uint8Array): Promise<WebAssembly.Memory> => {
	const {instance} = await WebAssembly.instantiate(bytes as BufferSource);
	return instance.exports['m'] as WebAssembly.Memory;
};

test.each([5, 127, 128, 8192])('a memory grows to %i pages and no further', async pages => {
	const memory = await memoryOf(withMostMemory(MODULE, pages));
	expect(memory.buffer.byteLength).toBe(65_536);
	expect(memory.grow(pages - 1)).toBe(1);
	expect(() => memory.grow(1)).toThrow(RangeError);
});

test('as it was it grows on, and a module without a memory is refused', async () => {
	expect((await memoryOf(MODULE)).grow(8192)).toBe(1);
	expect(() => withMostMemory(MODULE.subarray(0, 13), 5)).toThrow('the module has no memory');
});
