// Parses a LaTeX formula. Rejects everything without an unambiguous Unicode form.
import {BRACKETED, bracketed, CLOSE, joined, OPEN, script, type Piece} from './pieces.ts';
import {
	ACCENTS,
	ALPHABETS,
	FUNCTIONS,
	IGNORED,
	LARGE,
	LETTERS,
	LOWERED,
	OPERATORS,
	RAISED,
	SPACES,
	TEXT,
	UPRIGHT,
} from './symbols.ts';

/** Limits of a formula: length in UTF-16 units, and nesting depth of groups. */
const LONGEST = 4000;
const DEEPEST = 24;

/** Thrown for LaTeX without an unambiguous Unicode form. Caught in this file. */
class Unclear extends Error {}

const ENVIRONMENTS =
	/^(?:equation|align|aligned|alignat|gather|gathered|split|eqnarray|multline|math|displaymath)\*?$/;
const MATRICES = /^([pbBvV]?)(?:small)?matrix\*?$|^array$/;
const FENCES: Readonly<Record<string, readonly [string, string]>> = {
	p: ['(', ')'],
	b: ['[', ']'],
	B: ['{', '}'],
	v: ['|', '|'],
	V: ['‖', '‖'],
};
const ROOTS: Readonly<Record<string, string>> = {'2': '√', '3': '∛', '4': '∜'};

class Reader {
	#at = 0;
	#depth = 0;
	readonly #source: string;

	constructor(source: string) {
		this.#source = source;
	}

	get isAtEnd(): boolean {
		return this.#at >= this.#source.length;
	}

	/** Reads pieces up to `}`, `&`, `\\`, a command in `ends`, or `]` if `isOption` is set. */
	pieces(ends: readonly string[] = [], isOption = false): Piece[] {
		if (++this.#depth > DEEPEST) throw new Unclear();
		const found: Piece[] = [];
		while (!this.isAtEnd) {
			const next = this.#peek();
			if (next === '}' || next === '&' || next === '\\\\' || (isOption && next === ']')) break;
			if (ends.includes(next)) break;
			this.#piece(found);
		}
		this.#depth--;
		return found;
	}

	#peek(): string {
		const rest = /\\(?:[A-Za-z]+\*?|[\s\S])|[\s\S]/uy;
		rest.lastIndex = this.#at;
		return rest.exec(this.#source)?.[0] ?? '';
	}

	#take(): string {
		const token = this.#peek();
		this.#at += token.length;
		return token;
	}

	#skipSpace(): void {
		while (/^\s$/.test(this.#source[this.#at] ?? '')) this.#at++;
	}

	/** Pieces of the next argument, which is a group or a single token. */
	#argument(): Piece[] {
		this.#skipSpace();
		if (this.#peek() === '{') {
			this.#take();
			const found = this.pieces();
			if (this.#take() !== '}') throw new Unclear();
			return found;
		}
		const found: Piece[] = [];
		if (this.isAtEnd || /^[}&^_]$/.test(this.#peek())) throw new Unclear();
		this.#single(found);
		return found;
	}

	#text(): string {
		return joined(this.#argument());
	}

	/** Source text of the next argument, which must not contain commands. */
	#raw(): string {
		this.#skipSpace();
		const found = /^\{([^{}\\$]*)\}/.exec(this.#source.slice(this.#at));
		if (found === null) throw new Unclear();
		this.#at += found[0].length;
		return found[1] ?? '';
	}

	#piece(found: Piece[]): void {
		this.#single(found);
		this.#scripts(found);
	}

	#scripts(found: Piece[]): void {
		for (;;) {
			const rest = /\s*(?:\\(?:no)?limits\b\s*)?([\^_'])/y;
			rest.lastIndex = this.#at;
			const mark = rest.exec(this.#source)?.[1];
			if (mark === undefined) return;
			this.#at = rest.lastIndex;
			const base = found.pop();
			if (base === undefined || base.kind === 'operator') {
				if (base !== undefined) found.push(base);
				if (mark === "'") throw new Unclear();
			}
			const text = mark === "'" ? '′' : script(this.#text(), mark === '^' ? RAISED : LOWERED, mark);
			if (base === undefined || base.kind === 'operator') found.push({text, kind: 'letter'});
			else {
				const inner = base.kind === 'part' ? `(${base.text})` : base.text;
				found.push({text: inner + text, kind: base.kind === 'part' ? 'letter' : base.kind});
			}
		}
	}

	#single(found: Piece[]): void {
		const token = this.#take();
		if (token.startsWith('\\')) return this.#command(token.slice(1), found);
		if (/^\s$/.test(token)) return;
		if (token === '{') {
			const inner = this.pieces();
			if (this.#take() !== '}') throw new Unclear();
			// Sympy puts the brackets of a function into a group.
			const isBracket = inner[0]?.kind === 'open' && inner.at(-1)?.kind === 'close';
			const kind = isBracket ? 'open' : inner.length === 1 ? (inner[0]?.kind ?? 'letter') : 'letter';
			found.push({text: joined(inner), kind});
		} else if (token === '~') found.push({text: ' ', kind: 'space'});
		else if (token === '^' || token === '_' || token === "'") {
			// Puts the token back: this is a superscript or subscript without a base, as in `{}^2`.
			this.#at -= token.length;
			this.#scripts(found);
		} else if (/^[$#%}&]$/.test(token)) throw new Unclear();
		else if (token === '-') found.push({text: '−', kind: 'operator'});
		else if (token === '*') found.push({text: '∗', kind: 'operator'});
		else if (/^[+=<>:]$/.test(token)) found.push({text: token, kind: 'operator'});
		else if (token === ',' || token === ';')
			found.push({text: token, kind: 'close'}, {text: ' ', kind: 'space'});
		else if (OPEN.test(token)) found.push({text: token, kind: 'open'});
		else if (CLOSE.test(token)) found.push({text: token, kind: 'close'});
		else found.push({text: token, kind: 'letter'});
	}

	#command(name: string, found: Piece[]): void {
		const letter = LETTERS.get(name) ?? LARGE.get(name);
		if (letter !== undefined) {
			const kind = OPEN.test(letter)
				? 'open'
				: CLOSE.test(letter)
					? 'close'
					: LARGE.has(name)
						? 'word'
						: 'letter';
			found.push({text: letter, kind});
			return;
		}
		const operator = OPERATORS.get(name);
		if (operator !== undefined) found.push({text: operator, kind: 'operator'});
		else if (FUNCTIONS.has(name)) found.push({text: name, kind: 'word'});
		else if (SPACES.has(name)) found.push({text: SPACES.get(name) ?? '', kind: 'space'});
		else if (IGNORED.has(name)) return;
		else if (/^[{}$%#&_]$/.test(name))
			found.push({text: name, kind: name === '{' ? 'open' : name === '}' ? 'close' : 'letter'});
		else if (name === '|') found.push({text: '‖', kind: 'letter'});
		else if (name === 'left' || name === 'right') this.#delimiter(name, found);
		else if (/^[dtc]?frac$/.test(name)) {
			const above = this.#text();
			found.push({text: `${bracketed(above)}/${bracketed(this.#text())}`, kind: 'part'});
		} else if (/^[dt]?binom$/.test(name)) {
			const above = this.#text();
			found.push({text: `C(${above}, ${this.#text()})`, kind: 'letter'});
		} else if (name === 'sqrt') this.#root(found);
		else if (ACCENTS.has(name)) {
			const text = this.#text();
			if ([...text].length !== 1) throw new Unclear();
			found.push({text: text + (ACCENTS.get(name) ?? ''), kind: 'letter'});
		} else if (ALPHABETS.has(name)) {
			const letters = [...this.#text()].map(each => ALPHABETS.get(name)?.(each) ?? null);
			if (letters.includes(null) || letters.length === 0) throw new Unclear();
			found.push({text: letters.join(''), kind: 'letter'});
		} else if (TEXT.has(name)) {
			const text = this.#raw();
			if (text.startsWith(' ')) found.push({text: ' ', kind: 'space'});
			found.push({text: text.trim(), kind: 'word'});
			if (text.endsWith(' ')) found.push({text: ' ', kind: 'space'});
		} else if (UPRIGHT.has(name)) {
			const text = this.#text();
			found.push({text, kind: name.startsWith('operatorname') || [...text].length > 1 ? 'word' : 'letter'});
		} else if (name === 'label') this.#raw();
		else if (name === 'tag' || name === 'tag*') found.push({text: `  (${this.#raw()})`, kind: 'space'});
		else if (name === 'begin') this.#environment(found);
		else throw new Unclear();
	}

	#delimiter(name: string, found: Piece[]): void {
		this.#skipSpace();
		const token = this.#take();
		const text = token.startsWith('\\')
			? (LETTERS.get(token.slice(1)) ?? /^\\[{}|]$/.exec(token)?.[0])
			: token;
		if (text === undefined || !/^(?:[([{⟨⌊⌈)\]}⟩⌋⌉|‖./<>]|\\[{}|])$/.test(text)) throw new Unclear();
		if (text === '.') return;
		const shown = text === '\\|' ? '‖' : text === '<' ? '⟨' : text === '>' ? '⟩' : text.replace('\\', '');
		found.push({text: shown, kind: name === 'left' ? 'open' : 'close'});
	}

	#root(found: Piece[]): void {
		this.#skipSpace();
		let degree = '2';
		if (this.#peek() === '[') {
			this.#take();
			degree = joined(this.pieces([], true));
			if (this.#take() !== ']') throw new Unclear();
		}
		const root = ROOTS[degree];
		const raised = [...degree].map(each => RAISED.get(each));
		if (root === undefined && raised.includes(undefined)) throw new Unclear();
		const text = this.#text();
		found.push({
			text: `${root ?? `${raised.join('')}√`}${[...text].length === 1 ? text : BRACKETED.test(text) ? text : `(${text})`}`,
			kind: 'letter',
		});
	}

	#environment(found: Piece[]): void {
		const name = this.#raw();
		const matrix = MATRICES.exec(name);
		if (matrix === null && name !== 'cases' && !ENVIRONMENTS.test(name)) throw new Unclear();
		// Skips the argument that gives the columns' alignment.
		if (name === 'array' || name.startsWith('alignat')) this.#raw();
		const rows: string[][] = [[]];
		for (;;) {
			const cell = joined(this.pieces(['\\end'])).trim();
			rows.at(-1)?.push(cell);
			const token = this.#take();
			if (token === '\\\\') rows.push([]);
			else if (token === '\\end') break;
			else if (token !== '&') throw new Unclear();
		}
		if (this.#raw() !== name) throw new Unclear();
		const lines = rows.filter(row => row.some(cell => cell !== ''));
		if (matrix !== null || name === 'cases') {
			const bare = found.at(-1)?.kind === 'open' ? (['', ''] as const) : (['[', ']'] as const);
			const [open, close] = name === 'cases' ? ['{ ', ' }'] : (FENCES[matrix?.[1] ?? ''] ?? bare);
			// Two spaces between matrix entries, because a sum in an entry contains single spaces.
			const gap = name === 'cases' ? ' ' : '  ';
			found.push({text: `${open}${lines.map(row => row.join(gap)).join('; ')}${close}`, kind: 'letter'});
			return;
		}
		for (const [index, row] of lines.entries()) {
			if (index > 0) found.push({text: '\n', kind: 'break'});
			found.push({text: row.filter(cell => cell !== '').join(' '), kind: 'space'});
		}
	}

	/** Reads the whole formula, which may have several lines. */
	formula(): string {
		const lines = [joined(this.pieces())];
		while (!this.isAtEnd) {
			const token = this.#take();
			if (token !== '\\\\' && token !== '&') throw new Unclear();
			const next = joined(this.pieces());
			if (token === '&') lines.push(`${lines.pop() ?? ''} ${next}`);
			else lines.push(next);
		}
		return lines
			.map(line => line.replaceAll(/ {5,}/g, '    ').trim())
			.filter(line => line !== '')
			.join('\n');
	}
}

/** Unicode text of a formula, given without its `$`. Null if any part has no unambiguous form. */
export const mathText = (source: string): string | null => {
	if (source.length > LONGEST) return null;
	try {
		const text = new Reader(source).formula();
		return text === '' ? null : text;
	} catch (error) {
		if (error instanceof Unclear) return null;
		throw error;
	}
};
