/** Token of Python code, for syntax colours and bracket matching. Offsets are in UTF-16 units. */
export type PythonToken = {
	readonly kind: 'keyword' | 'string' | 'number' | 'comment' | 'definition' | 'bracket' | 'name';
	readonly from: number;
	readonly to: number;
};

export const PYTHON_KEYWORDS: ReadonlySet<string> = new Set(
	'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
		' ',
	),
);

const TOKEN =
	/#[^\n]*|(?:[rbuft]|[rR][bBfFtT]|[bBfFtT][rR])?(?:"""|'''|"|')|[\p{ID_Start}_][\p{ID_Continue}]*|(?:\d|\.\d)[\w.]*|[()[\]{}]/giuy;

/**
 * Offset after a string. `from`: offset of its content. A single-line string ends at the line end
 * at the latest.
 */
const stringEnd = (code: string, from: number, quote: string): number => {
	for (let at = from; at < code.length; at++) {
		if (code[at] === '\\') at++;
		else if (code.startsWith(quote, at)) return at + quote.length;
		else if (code[at] === '\n' && quote.length === 1) return at;
	}
	return code.length;
};

/** Tokens of Python code, which may be incomplete. Linear. */
export const pythonTokens = (code: string): readonly PythonToken[] => {
	const tokens: PythonToken[] = [];
	let before = '';
	for (let at = 0; at < code.length;) {
		TOKEN.lastIndex = at;
		const found = TOKEN.exec(code)?.[0];
		if (found === undefined) {
			at++;
			continue;
		}
		const quote = /["']+$/.exec(found)?.[0];
		const to =
			quote !== undefined && !found.startsWith('#')
				? stringEnd(code, at + found.length, quote)
				: at + found.length;
		const kind = found.startsWith('#')
			? 'comment'
			: quote !== undefined
				? 'string'
				: /^[\d.]/.test(found)
					? 'number'
					: /^[()[\]{}]$/.test(found)
						? 'bracket'
						: PYTHON_KEYWORDS.has(found)
							? 'keyword'
							: before === 'def' || before === 'class'
								? 'definition'
								: 'name';
		tokens.push({kind, from: at, to});
		before = found;
		at = to;
	}
	return tokens;
};

const CLOSER: Readonly<Record<string, string>> = {'(': ')', '[': ']', '{': '}'};

/** Offsets of the bracket at the cursor and of its partner. Null if there is no such pair. */
export const bracketAt = (
	code: string,
	tokens: readonly PythonToken[],
	cursor: number,
): {readonly bracket: number; readonly partner: number | null} | null => {
	const brackets = tokens.filter(token => token.kind === 'bracket');
	const index = [cursor - 1, cursor]
		.map(at => brackets.findIndex(token => token.from === at))
		.find(found => found !== -1);
	const bracket = index === undefined ? undefined : brackets[index];
	if (index === undefined || bracket === undefined) return null;
	const isOpener = (code[bracket.from] ?? '') in CLOSER;
	const open: number[] = [];
	for (const {from} of isOpener ? brackets.slice(index) : brackets.slice(0, index + 1).toReversed()) {
		const character = code[from] ?? '';
		if (character in CLOSER === isOpener) {
			open.push(from);
			continue;
		}
		const opened = code[open.pop() ?? from] ?? '';
		if (isOpener ? CLOSER[opened] !== character : CLOSER[character] !== opened)
			return {bracket: bracket.from, partner: null};
		if (open.length === 0) return {bracket: bracket.from, partner: from};
	}
	return {bracket: bracket.from, partner: null};
};
