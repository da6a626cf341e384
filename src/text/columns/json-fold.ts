// Formats a JSON file from its own tokens, so that numbers, keys and escapes stay unchanged.

type Emit = (line: JsonLine) => void;

export type JsonLine = {
	readonly depth: number;
	/** Source text of the key. Null if the line has no key. */
	readonly key: string | null;
	readonly text: string;
	readonly kind: 'value' | 'folded' | 'comment';
};

const SPACE = /[\s\uFEFF]*/y;
const COMMENT = /\/\/[^\r\n]*|\/\*[^]*?\*\//y;
/**
 * Can match a text in one way only. Otherwise an unterminated string would take exponential time.
 */
const STRING = /"[^"\\\u0000-\u001F]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001F]*)*"/y;
const VALUE = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null|NaN|-?Infinity)(?![\w.])/y;
/** Anything that no other pattern matches. */
const WORD = /[^\s,:[\]{}"]+|"[^\r\n]*|[^]/y;

const LONGEST_WORD = 40;

type Open = {
	readonly isList: boolean;
	readonly level: number;
	/** True if the lines within the list or object are not shown. */
	readonly isHidden: boolean;
	/**
	 * Opening line, not emitted until the number of items is known. Null if the line is not shown.
	 */
	readonly line: JsonLine | null;
	count: number;
};

const sizeOf = ({isList, count}: Open): string =>
	isList ? `[ ${count} item${count === 1 ? '' : 's'} ]` : `{ ${count} field${count === 1 ? '' : 's'} }`;

/**
 * Formats a JSON text as indented lines. Folds values deeper than `most` levels into their number
 * of items. Accepts comments, trailing commas, and NaN and Infinity, which Python writes.
 * `isStrict` rejects comments and trailing commas, as Python does.
 * @returns Null, or the problem and its line, as the end of a sentence.
 */
export const layJson = (text: string, most: number, emit: Emit, isStrict = false): string | null => {
	const open: Open[] = [];
	let at = 0;
	/** Last line, not emitted yet because a comma may follow it. */
	let waiting = null as JsonLine | null;
	let remarks: JsonLine[] = [];
	let isBehindComma = false;
	const flush = (end = ''): void => {
		if (waiting !== null) emit(end === '' ? waiting : {...waiting, text: waiting.text + end});
		for (const remark of remarks) emit(remark);
		waiting = null;
		remarks = [];
	};
	const token = (pattern: RegExp): string | null => {
		pattern.lastIndex = at;
		const found = pattern.exec(text)?.[0] ?? null;
		if (found !== null) at += found.length;
		return found;
	};
	const isHidden = (): boolean => open.at(-1)?.isHidden ?? false;
	const skip = (): void => {
		for (;;) {
			token(SPACE);
			const comment = text[at] === '/' && !isStrict ? token(COMMENT) : null;
			if (comment === null) return;
			if (!isHidden())
				for (const line of comment.split(/\r?\n/))
					remarks.push({depth: open.length, key: null, text: line.trim(), kind: 'comment'});
		}
	};
	const problem = (): string => {
		const line = text.slice(0, at).split(/\r\n|\r|\n/).length;
		const word = token(WORD)?.slice(0, LONGEST_WORD);
		if (word === undefined && open.length === 0) return 'it is empty';
		return word === undefined
			? `it ends in line ${line}, before its last bracket`
			: `${word} in line ${line}`;
	};
	const put = (line: JsonLine): void => {
		if (isHidden()) return;
		flush();
		waiting = line;
	};
	for (let isFirst = true; ; isFirst = false) {
		// A value starts here, or the enclosing list or object ends.
		skip();
		const within = open.at(-1);
		const isEnd = within !== undefined && text[at] === (within.isList ? ']' : '}');
		if (isStrict && isEnd && isBehindComma) return `a comma before ${problem()}`;
		isBehindComma = false;
		if (!isEnd) {
			if (!isFirst && within === undefined) return problem();
			let key: string | null = null;
			if (within !== undefined) within.count++;
			if (within?.isList === false) {
				key = token(STRING);
				skip();
				if (key === null || text[at] !== ':') return problem();
				at++;
				skip();
			}
			const level = open.length;
			const bracket = text[at];
			if (bracket === '[' || bracket === '{') {
				at++;
				const line: JsonLine = {depth: level, key, text: bracket, kind: 'value'};
				const hides = isHidden() || level >= most;
				if (!hides) put(line);
				else if (!isHidden()) flush();
				open.push({
					isList: bracket === '[',
					level,
					isHidden: hides,
					line: isHidden() ? null : line,
					count: 0,
				});
				continue;
			}
			const value = bracket === '"' ? token(STRING) : token(VALUE);
			if (value === null) return problem();
			put({depth: level, key, text: value, kind: 'value'});
		} else {
			at++;
			open.pop();
			if (within.line !== null) {
				const {line, isList, level, count} = within;
				const brackets = isList ? '[]' : '{}';
				if (count === 0 && waiting === line) waiting = {...line, text: brackets};
				else if (within.isHidden)
					put(count === 0 ? {...line, text: brackets} : {...line, text: sizeOf(within), kind: 'folded'});
				else put({depth: level, key: null, text: brackets.charAt(1), kind: 'value'});
			}
		}
		// After a value.
		skip();
		while (text[at] !== ',') {
			const around = open.at(-1);
			if (around === undefined) {
				flush();
				return at === text.length ? null : problem();
			}
			if (text[at] !== (around.isList ? ']' : '}')) return problem();
			break;
		}
		if (text[at] === ',') {
			at++;
			isBehindComma = true;
			if (!isHidden()) flush(',');
		}
	}
};

/** Clause that names the problem and its line if the text is not JSON. Null if it is. */
export const jsonProblem = (text: string): string | null => layJson(text, 0, () => {}, true);
