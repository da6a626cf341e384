import {brotliDecompressSync, gunzipSync, zstdDecompressSync} from 'node:zlib';
import {parquetMetadataAsync, parquetRead, parquetSchema, type SchemaTree} from 'hyparquet';
import {snappyUncompress} from 'hyparquet/src/snappy.js';
import {valueText} from './value-text.ts';
import {MOST_COLUMNS, rowsToRead, type Sheet} from './sheet.ts';

/** Limit of the bytes of an unpacked page, which its header may exceed. */
const MOST_PAGE = 256_000_000;

type Decompress = (input: Uint8Array, length: number) => Uint8Array;

const limited =
	(
		decompress: (
			input: Uint8Array,
			options: {readonly maxOutputLength: number},
			length: number,
		) => Uint8Array,
	): Decompress =>
	(input, length) => {
		if (length > MOST_PAGE) throw new Error('one of its pages is too large');
		return decompress(input, {maxOutputLength: Math.max(1, length)}, length);
	};

const COMPRESSORS: Readonly<Record<string, Decompress>> = {
	SNAPPY: limited((input, _, length) => {
		const output = new Uint8Array(length);
		snappyUncompress(input, output);
		return output;
	}),
	GZIP: limited((input, options) => gunzipSync(input, options)),
	BROTLI: limited((input, options) => brotliDecompressSync(input, options)),
	ZSTD: limited((input, options) => zstdDecompressSync(input, options)),
};

const typeOf = ({element, children}: SchemaTree): string => {
	const {type, logical_type: logical, converted_type: converted, scale, precision} = element;
	if (children.length > 0 && type === undefined) return converted?.toLowerCase() ?? 'struct';
	if (converted === 'DECIMAL' || logical?.type === 'DECIMAL') return `decimal(${precision},${scale ?? 0})`;
	return (logical?.type ?? converted ?? type ?? '').toLowerCase();
};

const isNumberType = (type: string): boolean => /^u?int|^float|^double|^decimal|^integer/.test(type);

/** Date of a number of finer units, with all its digits. */
const finerDate = (value: bigint, perMs: bigint, digits: number): string => {
	const rest = ((value % perMs) + perMs) % perMs;
	const date = new Date(Number((value - rest) / perMs));
	if (Number.isNaN(date.getTime())) return String(value);
	return date.toISOString().slice(0, -1).replace('T', ' ') + String(rest).padStart(digits, '0');
};

/**
 * First rows of a Parquet file.
 * @throws {Error} if the file is broken.
 */
export const readParquet = async (bytes: Uint8Array): Promise<Sheet> => {
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
		compressors: COMPRESSORS,
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
