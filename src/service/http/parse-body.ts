import {isUtf8} from 'node:buffer';
import type {DecodedUpload} from '../../engines/files.ts';
import {ServiceFault} from './fault.ts';

export type JsonBody = {
	readonly body: Readonly<Record<string, unknown>>;
	/** Text or base64 in `content` of a large body, which is empty there. */
	readonly decoded: DecodedUpload | undefined;
};

/** Deepest nesting accepted, far beyond that of a notebook. A hostile level costs only a byte. */
const MOST_NESTED = 1000;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];

/** Position of the quote that ends the string which starts here, or the length. */
const endOfString = (bytes: Buffer, start: number): number => {
	for (let at = bytes.indexOf(QUOTE, start + 1); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
		let before = at;
		while (bytes[before - 1] === BACKSLASH) before--;
		if ((at - before) % 2 === 0) return at;
	}
	return bytes.length;
};

/** True for values whose memory would be a hundred times their text. */
const isDeep = (bytes: Buffer): boolean => {
	let depth = 0;
	for (let at = 0; at < bytes.length; at++) {
		const byte = bytes[at];
		if (byte === QUOTE) at = endOfString(bytes, at);
		else if (byte === 0x5b || byte === 0x7b) depth++;
		else if (byte === 0x5d || byte === 0x7d) depth--;
		if (depth > MOST_NESTED) return true;
	}
	return false;
};

/** @throws {ServiceFault} 400 if not UTF-8, not JSON or not an object. */
export const parseJsonBody = (bytes: Buffer): Readonly<Record<string, unknown>> => {
	if (isDeep(bytes)) throw new ServiceFault(400, 'The body is nested too deeply.');
	if (!isUtf8(bytes)) throw new ServiceFault(400, 'The body is not UTF-8 text.');
	let value: unknown;
	try {
		value = JSON.parse(bytes.toString('utf8'));
	} catch {
		throw new ServiceFault(400, 'The body is not valid JSON.');
	}
	if (typeof value !== 'object' || value === null || Array.isArray(value))
		throw new ServiceFault(400, 'The body must be a JSON object.');
	return value as Readonly<Record<string, unknown>>;
};
