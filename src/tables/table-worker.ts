// Reads one file as a table in a thread of its own: a large or hostile one must not block the keys.
import {parentPort} from 'node:worker_threads';
import {gunzipSync} from 'node:zlib';
import {decodeText} from '../text/encoding.ts';
import {messageOf} from '../text/errors.ts';
import {readNpy} from '../text/table/files/npy.ts';
import type {Sheet} from '../text/table/files/sheet.ts';

/** Most bytes of a compressed text. */
const MOST_TEXT = 200_000_000;

export type TableTask = {readonly kind: 'gz' | 'npy' | 'parquet' | 'arrow'; readonly bytes: Uint8Array};
export type TableReply =
	| {readonly sheet: Sheet}
	/** `encoding`: null for UTF-8. */
	| {readonly text: string; readonly encoding: string | null}
	| {readonly problem: string};

const unpack = (bytes: Uint8Array): TableReply => {
	let text: Buffer;
	try {
		text = gunzipSync(bytes, {maxOutputLength: MOST_TEXT});
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw error;
		throw new Error('its text has more than 200 MB: open it in a cell', {cause: error});
	}
	try {
		return {text: new TextDecoder('utf8', {fatal: true}).decode(text), encoding: null};
	} catch {
		const found = decodeText(text);
		if (found === null) throw new Error('it contains no text');
		return found;
	}
};

const read = async ({kind, bytes}: TableTask): Promise<TableReply> => {
	switch (kind) {
		case 'gz':
			return unpack(bytes);
		case 'npy':
			return {sheet: readNpy(bytes)};
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
