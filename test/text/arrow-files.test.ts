import {
	Decimal,
	Field,
	makeData,
	RecordBatch,
	Schema,
	Struct,
	Table,
	TimestampNanosecond,
	tableToIPC,
	vectorFromArray,
	Float32,
	Utf8,
} from 'apache-arrow';
import {describe, expect, test} from 'vitest';
import {readArrow} from '../../src/text/table/files/arrow.ts';
import {unpackLz4} from '../../src/text/table/files/lz4.ts';

const table = () =>
	new Table({
		id: vectorFromArray([9007199254740993n, null, -1n]),
		city: vectorFromArray(['東京', null, 'Bern'], new Utf8()),
		kind: vectorFromArray(['a', 'b', 'a']),
		share: vectorFromArray([0.1, NaN, null], new Float32()),
		day: vectorFromArray([new Date('2026-11-27'), null, new Date('1969-12-31')]),
	});

/** Rows of a file with one column, made from its stored values. */
const stored = (type: Decimal | TimestampNanosecond, data: Uint32Array | BigInt64Array, length: number) => {
	const child = makeData({type: type as TimestampNanosecond, data: data as BigInt64Array, length});
	const fields = [new Field('value', type, true)];
	const batch = new RecordBatch(
		new Schema(fields),
		makeData({type: new Struct(fields), children: [child], length}),
	);
	return readArrow(tableToIPC(new Table([batch]), 'file')).rows;
};

describe('Arrow files', () => {
	test.each(['file', 'stream'] as const)('names, types and values of a %s', form => {
		const sheet = readArrow(tableToIPC(table(), form));
		expect(sheet).toMatchObject({
			names: ['id', 'city', 'kind', 'share', 'day'],
			numbers: [true, false, false, true, false],
			total: 3,
			columns: 5,
		});
		expect(sheet.types.slice(0, 4)).toEqual(['int64', 'utf8', 'utf8', 'float32']);
		expect(sheet.rows.map(row => row.slice(0, 4))).toEqual([
			['9007199254740993', '東京', 'a', '0.1'],
			['', '', 'b', 'NaN'],
			['-1', 'Bern', 'a', ''],
		]);
		expect(sheet.rows.map(row => row[4]?.slice(0, 10))).toEqual(['2026-11-27', '', '1969-12-31']);
	});

	test('decimals and nanoseconds keep all their digits', () => {
		expect(stored(new Decimal(2, 10), Uint32Array.of(1234, 0, 0, 0, 0xffff_fffb, -1, -1, -1), 2)).toEqual([
			['12.34'],
			['-0.05'],
		]);
		expect(stored(new TimestampNanosecond(), BigInt64Array.of(1n, -1n), 2)).toEqual([
			['1970-01-01 00:00:00.000000001'],
			['1969-12-31 23:59:59.999999999'],
		]);
		expect(stored(new TimestampNanosecond('UTC'), BigInt64Array.of(0n), 1)).toEqual([
			['1970-01-01 00:00:00.000000000Z'],
		]);
	});

	test('a broken or cut off file gives the reason', () => {
		const whole = tableToIPC(table(), 'file');
		expect(() => readArrow(Buffer.from('no arrow at all'))).toThrow();
		expect(() => readArrow(Buffer.from('FEA1 and more'))).toThrow('Feather version 1');
		expect(() => readArrow(whole.slice(0, -20))).toThrow();
		expect(() => readArrow(whole.slice(0, whole.length >> 1))).toThrow();
	});
});

describe('LZ4 frames', () => {
	const header = [0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82];
	const frame = (...block: readonly number[]) =>
		Uint8Array.of(...header, block.length, 0, 0, 0, ...block, 0, 0, 0, 0);

	test('literals and a match that overlaps its own copy', () => {
		// Compressed data: two literals, then eight bytes copied from two bytes back, then one
		// literal.
		const packed = frame(0x24, 0x61, 0x62, 2, 0, 0x10, 0x63);
		expect(Buffer.from(unpackLz4(packed, 100)).toString()).toBe('ababababab' + 'c');
		expect(() => unpackLz4(packed, 10)).toThrow(RangeError);
		expect(() => unpackLz4(packed.slice(0, -5), 100)).toThrow('broken');
		expect(() => unpackLz4(frame(0x24, 0x61, 0x62, 3, 0, 0x10, 0x63), 100)).toThrow('broken');
	});
});
