import {exactIn} from './exact-json.ts';
import {jsonIn} from './record.ts';

/**
 * Matches a JSON string, or a value that only Python writes. Strings are matched so that such a
 * word in one is skipped. An unterminated string matches up to the end of the text, because
 * retrying from each position would take quadratic time.
 */
const STRING_OR_VALUE = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)|-?\bInfinity\b|\bNaN\b/g;

/** True for every text that may contain a value that only Python's `json` writes and reads. */
const HAS_VALUE = /NaN|Infinity/;

/** Replaces values that only Python writes: infinities by numbers that overflow, NaN by null. */
const asJson = (text: string): string =>
	text.replaceAll(STRING_OR_VALUE, found =>
		found.startsWith('"') ? found : found === 'NaN' ? 'null' : found.replace('Infinity', '1e999'),
	);

const readBy =
	(read: (json: string) => unknown) =>
	(text: string): unknown => {
		const value = read(text);
		return value === undefined && HAS_VALUE.test(text) ? read(asJson(text)) : value;
	};

/**
 * Parses JSON as Python does. NaN becomes null, and infinities stay infinite. Undefined if the text
 * is not JSON.
 */
export const pythonJsonIn = readBy(jsonIn);

/**
 * Same as {@link pythonJsonIn}, but JSON.stringify writes the numbers exactly as they were read.
 */
export const exactPythonJsonIn = readBy(exactIn);
