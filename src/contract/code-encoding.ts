import type {ExecutedCell} from './cells.ts';

/**
 * Python's error for code that contains a lone surrogate, for example from a damaged notebook. Null
 * if the code has none. Such code is never sent, because Jupyter would close the connection or run
 * a different text.
 */
export const encodingError = (code: string): {readonly ename: string; readonly evalue: string} | null => {
	if (code.isWellFormed()) return null;
	const before = code.slice(0, /\p{Surrogate}/u.exec(code)?.index);
	const unit = code.charCodeAt(before.length).toString(16);
	return {
		ename: 'UnicodeEncodeError',
		// Python counts characters, not UTF-16 units.
		evalue: `'utf-8' codec can't encode character '\\u${unit}' in position ${[...before].length}: surrogates not allowed (line ${before.split('\n').length}; nothing was run)`,
	};
};

/**
 * Cell that was not sent, with the encoding error as its only output. Null if the code can be sent.
 */
export const refusedCell = (code: string): ExecutedCell | null => {
	const error = encodingError(code);
	if (error === null) return null;
	const {ename, evalue} = error;
	return {
		cell_type: 'code',
		execution_count: null,
		metadata: {},
		source: code,
		outputs: [{output_type: 'error', ename, evalue, traceback: [`${ename}: ${evalue}`]}],
	};
};
