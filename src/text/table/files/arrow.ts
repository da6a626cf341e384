import {zstdDecompressSync} from 'node:zlib';
import {
	CompressionType,
	compressionRegistry,
	DataType,
	RecordBatchReader,
	TimeUnit,
	type Field,
	type RecordBatch,
	type Vector,
} from 'apache-arrow';
import {unpackLz4} from './lz4.ts';
import {MOST_COLUMNS, rowsToRead, type Sheet} from './sheet.ts';
import {finerDate, float32Text, valueText} from './value-text.ts';

/**
 * Maximum number of decompressed bytes per file: a small file may contain buffers that decompress
 * to gigabytes.
 */
const MOST_UNPACKED = 512_000_000;
const TOO_LONG = 'it unpacks to more than 512 MB: open it in a cell';

const isTooLong = (error: unknown): boolean =>
	error instanceof RangeError || (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';

/**
 * The package stores its decompressors globally, so they are replaced for each file with its own
 * limit.
 */
const setDecompressors = (most: number): void => {
	let left = most;
	const within = (unpack: (data: Uint8Array, most: number) => Uint8Array) => ({
		decode(data: Uint8Array): Uint8Array {
			try {
				const found = unpack(data, Math.max(1, left));
				left -= found.length;
				return found;
			} catch (error) {
				throw isTooLong(error) ? new Error(TOO_LONG, {cause: error}) : error;
			}
		},
	});
	compressionRegistry.set(CompressionType.LZ4_FRAME, within(unpackLz4));
	// Node before 22.15 has no zstd.
	if (typeof zstdDecompressSync === 'function')
		compressionRegistry.set(
			CompressionType.ZSTD,
			within((data, maxOutputLength) => zstdDecompressSync(data, {maxOutputLength})),
		);
};

/**
 * Units shorter than a millisecond: how many make a millisecond, and how many more digits they
 * need.
 */
const FINER: ReadonlyMap<TimeUnit, readonly [perMs: bigint, digits: number]> = new Map([
	[TimeUnit.MICROSECOND, [1000n, 3]],
	[TimeUnit.NANOSECOND, [1_000_000n, 6]],
]);

const decimalText = (words: Uint32Array, bits: number, scale: number): string => {
	let value = 0n;
	for (let at = words.length - 1; at >= 0; at--) value = (value << 32n) | BigInt(words[at] ?? 0);
	value = BigInt.asIntN(bits, value);
	const digits = String(value < 0n ? -value : value).padStart(Math.max(0, scale) + 1, '0');
	const sign = value < 0n ? '-' : '';
	if (scale <= 0) return `${sign}${digits}${'0'.repeat(Math.min(100, -scale))}`;
	return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
};

type Cell = (column: Vector, row: number) => string;

const plainCell: Cell = (column, row) => valueText(column.get(row));

/**
 * Reads the stored integer, because the package's own conversion of timestamps loses the last
 * digits.
 */
const timestampCell = (unit: TimeUnit, zone: string | null | undefined): Cell => {
	const [perMs, digits] = FINER.get(unit) ?? [1n, 0];
	const end = zone ? 'Z' : '';
	return (column, row) => {
		const value: unknown = column.get(row);
		if (value === null) return '';
		const stored: unknown = (column.data[0]?.values as BigInt64Array | undefined)?.[row];
		if (digits === 0 || typeof stored !== 'bigint') return valueText(new Date(Number(value))) + end;
		return finerDate(stored, perMs, digits) + end;
	};
};

const cellOf = (type: DataType): Cell => {
	if (DataType.isTimestamp(type)) return timestampCell(type.unit, type.timezone);
	if (DataType.isDate(type))
		return (column, row) => {
			const value: unknown = column.get(row);
			return value === null ? '' : valueText(new Date(Number(value)));
		};
	if (DataType.isDecimal(type))
		return (column, row) => {
			const words: unknown = column.get(row);
			return words instanceof Uint32Array ? decimalText(words, type.bitWidth, type.scale) : valueText(words);
		};
	if (DataType.isFloat(type) && type.precision === 1)
		return (column, row) => {
			const value: unknown = column.get(row);
			return typeof value === 'number' ? float32Text(value) : valueText(value);
		};
	return plainCell;
};

const typeName = ({type}: Field): string =>
	DataType.isDictionary(type) ? String(type.dictionary).toLowerCase() : String(type).toLowerCase();

const isNumber = ({type}: Field): boolean =>
	DataType.isInt(type) || DataType.isFloat(type) || DataType.isDecimal(type);

const batchesOf = (bytes: Uint8Array): {fields: readonly Field[]; batches: Iterable<RecordBatch>} => {
	const reader = RecordBatchReader.from(bytes);
	reader.open({autoDestroy: false});
	// The package accepts arbitrary bytes as a stream without a schema.
	if (!(reader.schema as unknown)) throw new Error('it is not an Arrow file');
	return {fields: reader.schema.fields, batches: reader};
};

/**
 * First rows of an Arrow file, an Arrow stream or a Feather version 2 file.
 * @throws {Error} if the file is broken.
 */
export const readArrow = (bytes: Uint8Array, mostUnpacked = MOST_UNPACKED): Sheet => {
	if (Buffer.from(bytes.subarray(0, 4)).toString('latin1') === 'FEA1')
		throw new Error('it is Feather version 1: read it with pandas and write it again');
	setDecompressors(mostUnpacked);
	const {fields, batches} = batchesOf(bytes);
	const shown = fields.slice(0, MOST_COLUMNS);
	const cells = shown.map(({type}) => cellOf(type));
	const most = rowsToRead(Number.MAX_SAFE_INTEGER, shown.length);
	const rows: string[][] = [];
	let total = 0;
	for (const batch of batches) {
		total += batch.numRows;
		const columns = cells.map((_, at) => batch.getChildAt(at));
		for (let row = 0; row < batch.numRows && rows.length < most; row++)
			rows.push(
				cells.map((cell, at) => {
					const column = columns[at];
					return column ? cell(column, row) : '';
				}),
			);
	}
	return {
		names: shown.map(({name}) => name),
		types: shown.map(typeName),
		numbers: shown.map(isNumber),
		rows,
		total,
		columns: fields.length,
	};
};
