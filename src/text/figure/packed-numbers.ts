// Numbers that a library sends as base64 bytes.
import {isRecord} from '../record.ts';

type Reading = {readonly size: number; readonly read: (view: DataView, at: number) => number};

const READINGS: ReadonlyMap<string, Reading> = new Map([
	['f8', {size: 8, read: (view, at) => view.getFloat64(at, true)}],
	['f4', {size: 4, read: (view, at) => view.getFloat32(at, true)}],
	['i1', {size: 1, read: (view, at) => view.getInt8(at)}],
	['i2', {size: 2, read: (view, at) => view.getInt16(at, true)}],
	['i4', {size: 4, read: (view, at) => view.getInt32(at, true)}],
	['u1', {size: 1, read: (view, at) => view.getUint8(at)}],
	['u2', {size: 2, read: (view, at) => view.getUint16(at, true)}],
	['u4', {size: 4, read: (view, at) => view.getUint32(at, true)}],
]);
/** Bokeh's names for the same types. */
const LONG_NAMES: Readonly<Record<string, string>> = {
	float64: 'f8',
	float32: 'f4',
	int8: 'i1',
	int16: 'i2',
	int32: 'i4',
	uint8: 'u1',
	uint16: 'u2',
	uint32: 'u4',
};

const numbersIn = (type: string, base64: string): readonly number[] => {
	const reading = READINGS.get(LONG_NAMES[type] ?? type.replace(/^[<=|]/, ''));
	if (reading === undefined) return [];
	const bytes = Buffer.from(base64, 'base64');
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	return Array.from({length: Math.floor(bytes.length / reading.size)}, (_, index) =>
		reading.read(view, index * reading.size),
	);
};

/** Values of a list, or of numbers sent as bytes: `bdata` of Plotly, `ndarray` of Bokeh. */
export const valuesIn = (value: unknown): readonly unknown[] => {
	if (Array.isArray(value)) return value;
	if (!isRecord(value)) return [];
	const {dtype, bdata, __ndarray__: old, array, order} = value;
	const inner = isRecord(array) ? array['data'] : array;
	const base64 = bdata ?? old ?? inner;
	if (Array.isArray(base64)) return base64;
	return typeof dtype === 'string' && typeof base64 === 'string' && order !== 'big'
		? numbersIn(dtype, base64)
		: [];
};
