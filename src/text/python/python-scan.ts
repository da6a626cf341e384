// Our own scanner, for speed: @lezer/python, which builds a whole tree, costs 27 ms, 10 MB and 90
// KB.
/** Role of a logical line for the lines after it. */
export type LineRole =
	| 'simple'
	/** Ends with the colon of a compound statement, so an indented block must follow. */
	| 'opens-block'
	/** Compound statement with its body on the same line. */
	| 'one-line-block'
	| 'decorator';

export type LogicalLine = {
	/** Offset of the line's first character after the indentation. */
	readonly start: number;
	readonly indent: string;
	/** First word of the line, not counting `async`. Empty if the line starts with no word. */
	readonly keyword: string;
	readonly role: LineRole;
};

export type OpenBracket = {readonly closer: string; readonly at: number};

export type PythonScan = {
	/** All logical lines. The last may be unfinished. */
	readonly lines: readonly LogicalLine[];
	readonly brackets: readonly OpenBracket[];
	/**
	 * True inside a string that may continue: triple-quoted, or with a backslash at the line end.
	 */
	readonly isInString: boolean;
	readonly isContinued: boolean;
	/** True if the last physical line is blank, outside of strings and brackets. */
	readonly endsBlank: boolean;
	/**
	 * True if no further text can make the code valid, as with a stray bracket or unterminated
	 * string.
	 */
	readonly isBroken: boolean;
};

type OpenString = {
	readonly quote: string;
	readonly isRaw: boolean;
	readonly isFormatted: boolean;
	/**
	 * Number of open brackets at the start of the string. Inside a replacement field more are open.
	 */
	readonly depth: number;
};

const PREFIXES = new Set(['r', 'u', 'b', 'f', 't', 'br', 'rb', 'fr', 'rf', 'tr', 'rt']);
const CLOSERS: Readonly<Record<string, string>> = {'(': ')', '[': ']', '{': '}'};
const COMPOUND = new Set('if elif else for while try except finally with def class'.split(' '));
const WORD = /[\p{ID_Start}_][\p{ID_Continue}]*/uy;
const NUMBER = /(?:\d|\.\d)[\w.]*/y;

class Scanner {
	readonly #code: string;
	#at = 0;
	readonly #lines: LogicalLine[] = [];
	readonly #brackets: OpenBracket[] = [];
	readonly #strings: OpenString[] = [];
	#isContinued = false;
	#isBroken = false;
	#hasMatch = false;
	// Logical line that is being read.
	#line:
		| {start: number; indent: string; words: string[]; lambdas: number; colon: number; last: number}
		| undefined;

	constructor(code: string) {
		this.#code = code;
	}

	scan(): PythonScan {
		while (this.#at < this.#code.length && !this.#isBroken) this.#step();
		this.#endLine();
		const string = this.#strings.at(-1);
		const isInString = string !== undefined && this.#brackets.length === string.depth;
		// A single-line string must end on its line, unless a backslash precedes the line end.
		if (isInString && string.quote.length < 3 && this.#at === this.#code.length) this.#isBroken = true;
		const lastLine = this.#code.slice(this.#code.lastIndexOf('\n') + 1);
		const isOpen = isInString || this.#brackets.length > 0 || this.#isContinued;
		return {
			lines: this.#lines,
			brackets: this.#brackets,
			isInString,
			isContinued: this.#isContinued,
			endsBlank: !isOpen && lastLine.trim() === '',
			isBroken: this.#isBroken,
		};
	}

	#step(): void {
		const string = this.#strings.at(-1);
		if (string !== undefined && this.#brackets.length === string.depth) return this.#stepInString(string);
		const character = this.#code[this.#at] ?? '';
		if (character === '\n') return this.#stepLineEnd();
		if (character === ' ' || character === '\t' || character === '\f') {
			this.#at++;
			return;
		}

		if (character === '#') {
			const end = this.#code.indexOf('\n', this.#at);
			this.#at = end === -1 ? this.#code.length : end;
			return;
		}

		if (character === '\\') return this.#stepBackslash();
		this.#beginLine();
		if (character === '"' || character === "'") return this.#openString('');
		WORD.lastIndex = this.#at;
		const word = WORD.exec(this.#code)?.[0];
		if (word !== undefined) return this.#stepWord(word);
		NUMBER.lastIndex = this.#at;
		const number = NUMBER.exec(this.#code)?.[0];
		if (number !== undefined) return this.#advance(number.length);
		this.#stepOperator(character);
	}

	#stepLineEnd(): void {
		this.#at++;
		// Inside brackets and replacement fields a line end is a space.
		if (this.#brackets.length === 0) this.#endLine();
	}

	#stepBackslash(): void {
		const next = this.#code[this.#at + 1];
		if (next === undefined) this.#isContinued = true;
		else if (next !== '\n') this.#isBroken = true;
		this.#beginLine();
		this.#at += 2;
	}

	#stepWord(word: string): void {
		const quote = this.#code[this.#at + word.length];
		if ((quote === '"' || quote === "'") && PREFIXES.has(word.toLowerCase())) {
			this.#at += word.length;
			return this.#openString(word.toLowerCase());
		}

		if (this.#brackets.length === 0 && this.#line !== undefined) {
			this.#line.words.push(word);
			if (word === 'lambda') this.#line.lambdas++;
		}

		this.#advance(word.length);
	}

	#stepOperator(character: string): void {
		const closer = CLOSERS[character];
		const open = this.#brackets.at(-1);
		if (closer !== undefined) {
			this.#brackets.push({closer, at: this.#at});
		} else if (')]}'.includes(character)) {
			// A bracket inside a replacement field cannot close a bracket that was opened outside
			// the string.
			if (open?.closer !== character || this.#brackets.length === this.#strings.at(-1)?.depth)
				this.#isBroken = true;
			this.#brackets.pop();
		} else if (character === ':') {
			return this.#stepColon();
		}

		this.#advance(1);
	}

	#stepColon(): void {
		const string = this.#strings.at(-1);
		if (string !== undefined && this.#brackets.length === string.depth + 1) return this.#stepFormat(string);
		if (this.#code[this.#at + 1] === '=') return this.#advance(2);
		if (this.#brackets.length === 0 && this.#line !== undefined) {
			if (this.#line.lambdas > 0) this.#line.lambdas--;
			else if (this.#line.colon === -1) this.#line.colon = this.#at;
		}

		this.#advance(1);
	}

	/**
	 * The format part of a replacement field is text up to the closing brace. It may contain
	 * further replacement fields.
	 */
	#stepFormat(string: OpenString): void {
		this.#at++;
		// Treats the format as a string that ends at the brace. The brace also closes the field's
		// bracket.
		this.#strings.push({...string, quote: `}${string.quote}`, depth: this.#brackets.length});
	}

	#stepInString(string: OpenString): void {
		const {quote, isRaw, isFormatted} = string;
		const isFormat = quote.startsWith('}');
		const ending = isFormat ? quote.slice(1) : quote;
		const character = this.#code[this.#at] ?? '';
		if (character === '\\') {
			if (isFormatted && !isRaw && this.#code.startsWith('N{', this.#at + 1)) {
				const end = this.#code.indexOf('}', this.#at);
				return this.#advance(end === -1 ? 3 : end + 1 - this.#at);
			}

			// A brace after a backslash still opens a replacement field.
			return this.#advance(isFormatted && '{}'.includes(this.#code[this.#at + 1] ?? '-') ? 1 : 2);
		}

		if (this.#code.startsWith(ending, this.#at)) {
			if (isFormat) this.#isBroken = true;
			this.#strings.pop();
			return this.#advance(ending.length);
		}

		if (character === '\n' && ending.length === 1) {
			this.#isBroken = true;
			return;
		}

		if (isFormat && character === '}') {
			this.#strings.pop();
			this.#brackets.pop();
			return this.#advance(1);
		}

		if (isFormatted && character === '{') {
			if (!isFormat && this.#code[this.#at + 1] === '{') return this.#advance(2);
			this.#brackets.push({closer: '}', at: this.#at});
		}

		this.#advance(1);
	}

	#openString(prefix: string): void {
		const character = this.#code[this.#at] ?? '';
		const quote = this.#code.startsWith(character.repeat(3), this.#at) ? character.repeat(3) : character;
		this.#strings.push({
			quote,
			isRaw: prefix.includes('r'),
			isFormatted: /[ft]/.test(prefix),
			depth: this.#brackets.length,
		});
		this.#advance(quote.length);
	}

	#advance(units: number): void {
		this.#at += units;
		if (this.#line !== undefined) this.#line.last = this.#at;
	}

	#beginLine(): void {
		if (this.#line !== undefined) return;
		const lineStart = this.#code.lastIndexOf('\n', this.#at - 1) + 1;
		const indent = /^[ \t\f]*/.exec(this.#code.slice(this.#at === 0 ? 0 : lineStart, this.#at))?.[0] ?? '';
		this.#line = {start: this.#at, indent, words: [], lambdas: 0, colon: -1, last: this.#at};
	}

	#endLine(): void {
		const line = this.#line;
		this.#line = undefined;
		if (line === undefined) return;
		const keyword = (line.words[0] === 'async' ? line.words[1] : line.words[0]) ?? '';
		this.#lines.push({start: line.start, indent: line.indent, keyword, role: this.#roleOf(line, keyword)});
	}

	#roleOf(line: {start: number; colon: number; last: number}, keyword: string): LineRole {
		if (this.#code[line.start] === '@') return 'decorator';
		const endsInColon = line.colon !== -1 && line.last === line.colon + 1;
		// `match` and `case` are ordinary names unless a block follows.
		const isSoft = keyword === 'match' || keyword === 'case';
		const isSoftBody = keyword === 'case' && line.colon !== -1 && this.#hasMatch;
		this.#hasMatch ||= keyword === 'match' && endsInColon;
		if (!COMPOUND.has(keyword) && !(isSoft && endsInColon) && !isSoftBody) return 'simple';
		if (endsInColon) return 'opens-block';
		return line.colon === -1 ? 'simple' : 'one-line-block';
	}
}

/** Scans Python for the Enter key and automatic indentation. Linear; never throws. */
export const scanPython = (code: string): PythonScan => new Scanner(code).scan();
