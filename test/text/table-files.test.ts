import {gzipSync} from 'node:zlib';
import {parquetWriteBuffer} from 'hyparquet-writer';
import {describe, expect, test} from 'vitest';
import {readNpy} from '../../src/text/table/files/npy.ts';
import {decompressors, readParquet} from '../../src/text/table/files/parquet.ts';
import {rowsToRead, sheetTable} from '../../src/text/table/files/sheet.ts';

/** A file of numpy.save, version 1.0. */
const npy = (descr: string, shape: string, data: ArrayBuffer | Uint8Array, isFortran = false): Uint8Array => {
	const header = `{'descr': '${descr}', 'fortran_order': ${isFortran ? 'True' : 'False'}, 'shape': (${shape}), }\n`;
	const length = Buffer.alloc(2);
	length.writeUInt16LE(header.length);
	const start = Buffer.from('\u0093NUMPY\u0001\u0000', 'latin1');
	return Buffer.concat([start, length, Buffer.from(header), Buffer.from(data as Uint8Array)]);
};
const bufferOf = (values: NodeJS.TypedArray): Uint8Array => Buffer.from(values.buffer);

describe('arrays of numpy.save', () => {
	test('numbers of one and of several dimensions, in both orders', () => {
		expect(readNpy(npy('<f4', '3,', bufferOf(Float32Array.of(0.1, NaN, -Infinity)))).rows).toEqual([
			['0.1'],
			['NaN'],
			['-inf'],
		]);
		const six = bufferOf(Int32Array.of(1, 2, 3, 4, 5, 6));
		const plain = readNpy(npy('<i4', '2, 3', six));
		expect(plain).toMatchObject({names: ['0', '1', '2'], numbers: [true, true, true], total: 2, columns: 3});
		expect(plain.rows).toEqual([
			['1', '2', '3'],
			['4', '5', '6'],
		]);
		expect(readNpy(npy('<i4', '2, 3', six, true)).rows).toEqual([
			['1', '3', '5'],
			['2', '4', '6'],
		]);
		expect(readNpy(npy('<i4', '1, 2, 3', six)).names).toEqual(['0,0', '0,1', '0,2', '1,0', '1,1', '1,2']);
	});

	test('text, truth, wide integers and dates keep all their digits', () => {
		expect(readNpy(npy('|b1', '2,', Uint8Array.of(0, 1))).rows).toEqual([['False'], ['True']]);
		expect(readNpy(npy('<U2', '2,', bufferOf(Uint32Array.of(0x65, 0, 0x6771, 0x4eac)))).rows).toEqual([
			['e'],
			['東京'],
		]);
		expect(readNpy(npy('<i8', '1,', bufferOf(BigInt64Array.of(9007199254740993n)))).rows).toEqual([
			['9007199254740993'],
		]);
		expect(readNpy(npy('<M8[ns]', '2,', bufferOf(BigInt64Array.of(1n, -(1n << 63n))))).rows).toEqual([
			['1970-01-01 00:00:00.000000001'],
			['NaT'],
		]);
		expect(readNpy(npy('<M8[D]', '1,', bufferOf(BigInt64Array.of(-1n)))).rows).toEqual([['1969-12-31']]);
	});

	test('a broken file gives the reason', () => {
		const data = bufferOf(Int32Array.of(1, 2));
		expect(() => readNpy(Buffer.from('PK'))).toThrow('not a file of numpy.save');
		expect(() => readNpy(npy('<i4', '3,', data))).toThrow('fewer values');
		expect(() => readNpy(npy('<i4', '99999999999999, 99999999999999', data))).toThrow('fewer values');
		expect(() => readNpy(npy('|O', '1,', data))).toThrow('type |O');
	});
});

const parquet = (count = 3): Uint8Array =>
	new Uint8Array(
		parquetWriteBuffer({
			columnData: [
				{
					name: 'id',
					data: Array.from({length: count}, (_, at) => BigInt(at) + 9007199254740993n),
					type: 'INT64',
				},
				{
					name: 'city',
					data: Array.from({length: count}, (_, at) => (at === 1 ? null : '東京')),
					type: 'STRING',
				},
				{
					name: 'when',
					data: Array.from({length: count}, () => new Date('2026-11-27T12:30:00Z')),
					type: 'TIMESTAMP',
				},
			],
		}),
	);

describe('Parquet files', () => {
	test('names, types and values', async () => {
		const sheet = await readParquet(parquet());
		expect(sheet).toMatchObject({names: ['id', 'city', 'when'], numbers: [true, false, false], total: 3});
		expect(sheet.rows).toEqual([
			['9007199254740993', '東京', '2026-11-27 12:30:00'],
			['9007199254740994', '', '2026-11-27 12:30:00'],
			['9007199254740995', '東京', '2026-11-27 12:30:00'],
		]);
		expect(sheetTable(sheet).whole).toBeNull();
	});

	test('a file of many rows is read in part', async () => {
		expect(rowsToRead(400_000, 3)).toBe(333_333);
		const sheet = await readParquet(parquet());
		expect(sheetTable({...sheet, total: 400_000}).whole).toEqual({
			rows: 400_000,
			columns: 3,
			shownRows: 3,
			shownColumns: 3,
		});
	});

	test('pages that unpack to more than the limit, or than they claim, fail', () => {
		const zeros = gzipSync(Buffer.alloc(1000));
		const {GZIP: unpack} = decompressors(2500);
		expect(unpack?.(zeros, 1000)).toHaveLength(1000);
		expect(() => unpack?.(zeros, 10)).toThrow();
		expect(() => unpack?.(zeros, 2000)).toThrow('unpacks to more');
	});

	test('a small file whose pages unpack to more than the limit is refused as a whole', async () => {
		const data = Array.from({length: 200_000}, () => 'x'.repeat(20));
		const bomb = new Uint8Array(
			parquetWriteBuffer({
				columnData: [{name: 'a', data, type: 'STRING', encoding: 'PLAIN'}],
				codec: 'SNAPPY',
			}),
		);
		expect(bomb.length).toBeLessThan(400_000);
		await expect(readParquet(bomb, 1_000_000)).rejects.toThrow('unpacks to more');
		expect((await readParquet(bomb)).rows).toHaveLength(200_000);
	});

	test('a broken or cut off file fails', async () => {
		const whole = parquet();
		await expect(readParquet(Buffer.from('no parquet at all'))).rejects.toThrow('parquet');
		await expect(readParquet(whole.slice(0, -20))).rejects.toThrow();
		await expect(readParquet(whole.slice(60))).rejects.toThrow();
	});
});
