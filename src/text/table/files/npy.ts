// Reads arrays in the format of numpy.save, which the documentation of `numpy.lib.format`
// describes.
import {float32Text, floatText} from './value-text.ts';
import {MOST_COLUMNS, rowsToRead, type Sheet} from './sheet.ts';

const MAGIC = Buffer.from('\u0093NUMPY', 'latin1');
const TYPE = /^(?<order>[<>|=])(?<kind>[a-zA-Z])(?<size>\d+)(?:\[(?<step>\d*)(?<unit>[a-zA-Z]+)\])?$/;
/** Milliseconds in each date unit. Units shorter than a millisecond are shown with all digits. */
const UNITS: Readonly<Record<string, number>> = {D: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1};
const FINER: Readonly<Record<string, readonly [perMs: bigint, digits: number]>> = {
	us: [1000n, 3],
	ns: [1_000_000n, 6],
};

type Reader = (at: number) => string;

const half = (bits: number): number => {
	const sign = bits & 0x8000 ? -1 : 1;
	const exponent = (bits >> 10) & 31;
	const part = bits & 1023;
	if (exponent === 31) return part === 0 ? sign * Infinity : NaN;
	return exponent === 0 ? sign * part * 2 ** -24 : sign * (1 + part / 1024) * 2 ** (exponent - 15);
};

const dateText = (value: bigint, step: bigint, unit: string): string => {
	if (value === -(1n << 63n)) return 'NaT';
	const [perMs, digits] = FINER[unit] ?? [1n, 0];
	const whole = value * step;
	const ms = FINER[unit] ? whole / perMs : whole * BigInt(UNITS[unit] ?? 1);
	const rest = FINER[unit] ? whole % perMs : 0n;
	const date = new Date(Number(rest < 0n ? ms - 1n : ms));
	if (Number.isNaN(date.getTime())) return String(value);
	const text = date.toISOString().slice(0, -1).replace('T', ' ');
	const finer = digits === 0 ? '' : String(rest < 0n ? rest + perMs : rest).padStart(digits, '0');
	return unit === 'D'
		? text.slice(0, 10)
		: `${text}${finer}`.replace(/\.?0+$/, match => (match.startsWith('.') ? '' : ''));
};

/** Returns a reader for fields of a type. Null if the type is not supported. */
const readerOf = (view: DataView, type: RegExpExecArray): Reader | null => {
	const {order, kind, size: digits, step = '', unit} = type.groups ?? {};
	const size = Number(digits);
	const isLittle = order !== '>';
	const word = (at: number): bigint => view.getBigInt64(at, isLittle);
	switch (`${kind}${size}`) {
		case 'b1':
			return at => (view.getUint8(at) === 0 ? 'False' : 'True');
		case 'i1':
			return at => String(view.getInt8(at));
		case 'u1':
			return at => String(view.getUint8(at));
		case 'i2':
			return at => String(view.getInt16(at, isLittle));
		case 'u2':
			return at => String(view.getUint16(at, isLittle));
		case 'i4':
			return at => String(view.getInt32(at, isLittle));
		case 'u4':
			return at => String(view.getUint32(at, isLittle));
		case 'i8':
			return at => String(word(at));
		case 'u8':
			return at => String(view.getBigUint64(at, isLittle));
		case 'f2':
			return at => floatText(half(view.getUint16(at, isLittle)));
		case 'f4':
			return at => float32Text(view.getFloat32(at, isLittle));
		case 'f8':
			return at => floatText(view.getFloat64(at, isLittle));
		case 'c16':
			return at =>
				`${floatText(view.getFloat64(at, isLittle))} + ${floatText(view.getFloat64(at + 8, isLittle))}j`;
		case 'M8':
			return unit !== undefined && (unit in UNITS || unit in FINER)
				? at => dateText(word(at), BigInt(step || '1'), unit)
				: null;
	}
	if (kind === 'S')
		return at => {
			const bytes = new Uint8Array(view.buffer, view.byteOffset + at, size);
			return Buffer.from(bytes).toString('latin1').replace(/\0+$/, '');
		};
	if (kind === 'U')
		return at => {
			let text = '';
			for (let letter = 0; letter < size; letter++) {
				const code = view.getUint32(at + 4 * letter, isLittle);
				text += code <= 0x10_ff_ff ? String.fromCodePoint(code) : '\uFFFD';
			}
			return text.replace(/\0+$/, '');
		};
	return null;
};

const nameOf = (column: number, rest: readonly number[]): string => {
	const positions: number[] = [];
	let left = column;
	for (const size of rest.toReversed()) {
		positions.unshift(left % size);
		left = Math.floor(left / size);
	}
	return positions.join(',');
};

/**
 * Rows of an array. The remaining dimensions are flattened into columns.
 * @throws {Error} if the file is broken, or its type cannot be shown.
 */
export const readNpy = (bytes: Uint8Array): Sheet => {
	if (!MAGIC.equals(bytes.subarray(0, MAGIC.length))) throw new Error('it is not a file of numpy.save');
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const isLong = view.getUint8(6) > 1;
	const start = (isLong ? 12 : 10) + (isLong ? view.getUint32(8, true) : view.getUint16(8, true));
	const header = Buffer.from(bytes.subarray(isLong ? 12 : 10, Math.min(start, 1 << 20))).toString('latin1');
	const descr = /'descr':\s*'(?<type>[^']*)'/.exec(header)?.groups?.['type'];
	const type = TYPE.exec(descr ?? '');
	const shapeText = /'shape':\s*\((?<shape>[\d, ]*)\)/.exec(header)?.groups?.['shape'];
	if (shapeText === undefined) throw new Error('its header cannot be read');
	const read = type && readerOf(view, type);
	if (!type || !read)
		throw new Error(`arrays of type ${descr ?? 'several fields'} cannot be shown: open it in a cell`);
	const shape = shapeText
		.split(',')
		.filter(each => each.trim() !== '')
		.map(Number);
	const [total = 1, ...rest] = shape;
	const columns = rest.reduce((product, each) => product * each, 1);
	const size = Number(type.groups?.['size']) * (type.groups?.['kind'] === 'U' ? 4 : 1);
	if (!(total * columns * size <= bytes.length - start))
		throw new Error('it is cut off: it has fewer values than its header names');
	const isFortran = /'fortran_order':\s*True/.test(header);
	const width = Math.min(columns, MOST_COLUMNS);
	// Fortran order: the first index varies fastest.
	const strides = shape.map((_, at) =>
		(isFortran ? shape.slice(0, at) : shape.slice(at + 1)).reduce((product, each) => product * each, 1),
	);
	const offsets = Array.from({length: width}, (_, column) => {
		let left = column;
		let offset = 0;
		for (let at = shape.length - 1; at > 0; at--) {
			const side = shape[at] ?? 1;
			offset += (left % side) * (strides[at] ?? 0);
			left = Math.floor(left / side);
		}
		return offset;
	});
	const isNumber = 'iuf'.includes(type.groups?.['kind'] ?? ' ');
	return {
		names: Array.from({length: width}, (_, column) => (rest.length === 0 ? 'value' : nameOf(column, rest))),
		types: Array.from({length: width}, () => descr ?? ''),
		numbers: Array.from({length: width}, () => isNumber),
		rows: Array.from({length: rowsToRead(total, width)}, (_, row) =>
			offsets.map(offset => read(start + size * (row * (strides[0] ?? 1) + offset))),
		),
		total,
		columns,
	};
};
