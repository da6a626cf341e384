import {brotliDecompressSync, gunzipSync, zstdDecompressSync} from 'node:zlib';
import {parquetMetadataAsync, parquetRead, parquetSchema, type SchemaTree} from 'hyparquet';
import {snappyUncompress} from 'hyparquet/src/snappy.js';
import {finerDate, valueText} from './value-text.ts';
import {MOST_COLUMNS, rowsToRead, type Sheet} from './sheet.ts';

/**
 * Maximum number of decompressed bytes per file: a small file may contain pages that decompress to
 * gigabytes.
 */
const MOST_UNPACKED = 512_000_000;

type Limit = {readonly maxOutputLength: number};
type Unpack = (input: Uint8Array, limit: Limit) => Uint8Array;

const UNPACK: Readonly<Record<string, Unpack>> = {
	SNAPPY(input, {maxOutputLength}) {
		const output = new Uint8Array(maxOutputLength);
		snappyUncompress(input, output);
		return output;
	},
	GZIP: (input, limit) => gunzipSync(input, limit),
	BROTLI: (input, limit) => brotliDecompressSync(input, limit),
	ZSTD: (input, limit) => zstdDecompressSync(input, limit),
};

/** Decompressors for one file. `most`: maximum number of bytes of all its pages together. */
export const decompressors = (most: number) => {
	let left = most;
	return Object.fromEntries(
		Object.entries(UNPACK).map(([name, unpack]) => [
			name,
			(input: Uint8Array, length: number): Uint8Array => {
				left -= length;
				if (!(left >= 0)) throw new Error('it unpacks to more than 512 MB: open it in a cell');
				return unpack(input, {maxOutputLength: Math.max(1, length)});
			},
		]),
	);
};

const typeOf = ({element, children}: SchemaTree): string => {
	const {type, logical_type: logical, converted_type: converted, scale, precision} = element;
	if (children.length > 0 && type === undefined) return converted?.toLowerCase() ?? 'struct';
	if (converted === 'DECIMAL' || logical?.type === 'DECIMAL') return `decimal(${precision},${scale ?? 0})`;
	return (logical?.type ?? converted ?? type ?? '').toLowerCase();
};

const isNumberType = (type: string): boolean => /^u?int|^float|^double|^decimal|^integer/.test(type);

/**
 * First rows of a Parquet file. `most`: maximum number of bytes that its pages may decompress to.
 * @throws {Error} if the file is broken.
 */
export const readParquet = async (bytes: Uint8Array, most = MOST_UNPACKED): Promise<Sheet> => {
	const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
	const file = {byteLength: buffer.byteLength, slice: (from: number, to?: number) => buffer.slice(from, to)};
	const metadata = await parquetMetadataAsync(file);
	const fields = parquetSchema(metadata).children;
	const shown = fields.slice(0, MOST_COLUMNS);
	const total = Number(metadata.num_rows);
	const types = shown.map(typeOf);
	const rowEnd = rowsToRead(total, shown.length);
	const names = shown.map(({element}) => element.name);
	const values: unknown[][] = [];
	await parquetRead({
		file,
		metadata,
		rowEnd,
		columns: names,
		compressors: decompressors(most),
		parsers: {
			timestampFromMicroseconds: (value: bigint) => finerDate(value, 1000n, 3),
			timestampFromNanoseconds: (value: bigint) => finerDate(value, 1_000_000n, 6),
		},
		rowFormat: 'array',
		onComplete(rows) {
			for (const row of rows) values.push(row);
		},
	});
	const scales = shown.map(({element}, column) =>
		types[column]?.startsWith('decimal') === true ? (element.scale ?? 0) : null,
	);
	const text = (value: unknown, column: number): string => {
		const scale = scales[column] ?? null;
		return scale !== null && typeof value === 'number'
			? value.toFixed(Math.min(100, scale))
			: valueText(value);
	};
	return {
		names,
		types,
		numbers: types.map(isNumberType),
		rows: values.map(row => names.map((_, column) => text(row[column], column))),
		total,
		columns: fields.length,
	};
};
