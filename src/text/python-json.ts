import {exactIn} from './exact-json.ts';
import {jsonIn} from './record.ts';

/**
 * A string, which may contain these words, or a value that only Python writes. An unterminated
 * string extends to the end of the text: looking for another match would take for ever.
 */
const STRING_OR_VALUE = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)|-?\bInfinity\b|\bNaN\b/g;

/** Matches every text that holds a value which only Python's `json` writes and reads. */
const HAS_VALUE = /NaN|Infinity/;

/** Python's values as JSON: infinities as numbers that overflow, NaN as null. */
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

/** Parses JSON as Python does: NaN becomes null, infinities stay. Undefined if not JSON. */
export const pythonJsonIn = readBy(jsonIn);

/** Same as {@link pythonJsonIn}, but JSON.stringify writes the numbers as they came. */
export const exactPythonJsonIn = readBy(exactIn);
