// Reads one file as a table in its own thread, because a large or malicious file must not block key
// presses.
import {parentPort} from 'node:worker_threads';
import {gunzipSync} from 'node:zlib';
import {messageOf} from '../text/errors.ts';
import {readNpy} from '../text/table/files/npy.ts';
import type {Sheet} from '../text/table/files/sheet.ts';
import type {XlsxSheet} from '../text/table/files/xlsx.ts';
import {textAs} from '../text/table/text-format.ts';
import type {Decoded} from '../text/encoding.ts';

/** Maximum number of bytes of a compressed text. */
const MOST_TEXT = 200_000_000;

export type TableTask =
	| {readonly kind: 'npy' | 'parquet' | 'arrow'; readonly bytes: Uint8Array}
	/** `name`: a sheet. Null for the only sheet, or for the names if there are several. */
	| {readonly kind: 'xlsx'; readonly bytes: Uint8Array; readonly name: string | null}
	/** `encoding`: null to detect it. */
	| {readonly kind: 'gz'; readonly bytes: Uint8Array; readonly encoding: string | null};
export type TableReply =
	| {readonly sheet: Sheet}
	| {readonly book: XlsxSheet; readonly name: string}
	| {readonly names: readonly string[]}
	| Decoded
	| {readonly problem: string};

const unpack = (bytes: Uint8Array, encoding: string | null): Decoded => {
	let text: Buffer;
	try {
		text = gunzipSync(bytes, {maxOutputLength: MOST_TEXT});
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw error;
		throw new Error('its text has more than 200 MB: open it in a cell', {cause: error});
	}
	const found = textAs(text, encoding);
	if (found === null) throw new Error('it contains no text');
	return found;
};

const read = async (task: TableTask): Promise<TableReply> => {
	const {kind, bytes} = task;
	switch (kind) {
		case 'gz':
			return unpack(bytes, task.encoding);
		case 'npy':
			return {sheet: readNpy(bytes)};
		case 'xlsx': {
			const {readXlsx, xlsxSheets} = await import('../text/table/files/xlsx.ts');
			const names = task.name === null ? xlsxSheets(bytes) : [task.name];
			const [only] = names;
			return only !== undefined && names.length === 1 ? {book: readXlsx(bytes, only), name: only} : {names};
		}
		case 'parquet': {
			const {readParquet} = await import('../text/table/files/parquet.ts');
			return {sheet: await readParquet(bytes)};
		}
		case 'arrow': {
			const {readArrow} = await import('../text/table/files/arrow.ts');
			return {sheet: readArrow(bytes)};
		}
	}
};

const answer = async (task: TableTask): Promise<void> => {
	try {
		parentPort?.postMessage(await read(task));
	} catch (error) {
		parentPort?.postMessage({problem: messageOf(error)});
	}
};

parentPort?.once('message', (task: TableTask) => void answer(task));
