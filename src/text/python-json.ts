import {exactIn} from './exact-json.ts';
import {jsonIn} from './record.ts';

/**
 * A string, which may hold the words, or one of the values that only Python writes. A string that does not end reaches to
 * the end of the text: to look for another reading of it would take for ever.
 */
const STRING_OR_VALUE = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)|-?\bInfinity\b|\bNaN\b/g;

/** Whether a text may hold a value that only Python's `json` writes and reads. */
const HAS_VALUE = /NaN|Infinity/;

/** Python's infinite values as numbers that JSON has; NaN, which no number of JSON is, as null. */
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

/** The value of a JSON text as Python reads it: NaN is null, and infinities are infinite; undefined if it is no JSON. */
export const pythonJsonIn = readBy(jsonIn);

/** As {@link pythonJsonIn}; JSON.stringify writes the value's numbers as they came. */
export const exactPythonJsonIn = readBy(exactIn);
