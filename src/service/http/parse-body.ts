import {isUtf8} from 'node:buffer';
import type {DecodedUpload} from '../../engines/files.ts';
import {ServiceFault} from './fault.ts';

export type JsonBody = {
	readonly body: Readonly<Record<string, unknown>>;
	/** Decoded `content` of a large body. The `content` in `body` is then empty. */
	readonly decoded: DecodedUpload | undefined;
};

/**
 * Maximum nesting depth, which is far beyond that of a notebook. Needed because an attacker can add
 * a level with a single byte.
 */
const MOST_NESTED = 1000;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];

/**
 * Offset of the closing quote of the string that starts at `start`. The length if there is none.
 */
const endOfString = (bytes: Buffer, start: number): number => {
	for (let at = bytes.indexOf(QUOTE, start + 1); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
		let before = at;
		while (bytes[before - 1] === BACKSLASH) before--;
		if ((at - before) % 2 === 0) return at;
	}
	return bytes.length;
};

/** True if the JSON is nested so deeply that it would need a hundred times its size in memory. */
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

/** Parses a body. @throws {ServiceFault} 400 if it is not UTF-8, not JSON or not an object. */
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
