import {scanPython} from './python-scan.ts';
import {pythonTokens, type PythonToken} from './python-tokens.ts';

/** Names that a cell uses and defines, as far as its source shows. */
export type CellNames = {
	/** Names that the cell reads before it binds them. */
	readonly uses: ReadonlySet<string>;
	/** Names that the cell binds: by assignment, import, `def`, `class`, `for`, `with`. */
	readonly binds: ReadonlySet<string>;
	/** Names whose value the cell changes in place: `df["b"] = 1`, `n += 1`. */
	readonly changes: ReadonlySet<string>;
};

/** Cell magics whose body is Python code. */
const OF_PYTHON = /^%%(?:time|timeit|capture|prun)\b/;

/** Python code of a cell. Drops magics, but keeps the statement after `%time`. */
const pythonOf = (source: string): string => {
	if (/^\s*%%/.test(source) && !OF_PYTHON.test(source.trimStart())) return '';
	return source
		.split('\n')
		.map(line => {
			const timed = /^\s*%time(?:it)? (.*)$/.exec(line)?.[1];
			return timed ?? (/^\s*[%!]/.test(line) ? '' : line);
		})
		.join('\n');
};

type Word = PythonToken & {
	readonly text: string;
	/** Text between the previous token and this one, without comments. */
	readonly gap: string;
	/** Number of brackets open at the token. */
	readonly depth: number;
};

/** Code in the replacement fields of an f-string. */
const fieldsOf = (string: string): readonly string[] =>
	/^(?:f|rf|fr|t|rt|tr)["']/i.test(string)
		? [...string.matchAll(/\{([^{}]{1,1000})\}/g)].map(([, field = '']) => field)
		: [];

const wordsOf = (code: string): readonly Word[] => {
	const words: Word[] = [];
	let end = 0;
	let depth = 0;
	for (const token of pythonTokens(code)) {
		if (token.kind === 'comment') continue;
		const text = code.slice(token.from, token.to);
		const isCloser = /^[)\]}]$/.test(text);
		if (isCloser) depth--;
		words.push({...token, text, gap: code.slice(end, token.from), depth});
		if (token.kind === 'bracket' && !isCloser) depth++;
		end = token.to;
	}
	return words;
};

const ASSIGNS = /(?:^|[^=!<>:+\-*/%&|^@])=(?!=)/;
const CHANGES_IN_PLACE = /[+\-*/%&|^@]=|(?:<<|>>)=/;
const isAttribute = ({gap}: Word): boolean => /\.\s*$/.test(gap) && !/\.\.\s*$/.test(gap);
/** True for the `name` in `f(name=1)`. */
const isArgument = (words: readonly Word[], at: number): boolean => {
	const next = words[at + 1];
	return (words[at]?.depth ?? 0) > 0 && next !== undefined && /^\s*=(?!=)/.test(next.gap);
};

type Found = {readonly uses: string[]; readonly binds: string[]; readonly changes: string[]};

const namesUsed = (words: readonly Word[]): string[] =>
	words.flatMap((word, at) => {
		if (word.kind === 'string') return fieldsOf(word.text).flatMap(field => namesUsed(wordsOf(field)));
		return word.kind === 'name' && !isAttribute(word) && !isArgument(words, at) ? [word.text] : [];
	});

/** Names that the left side of an assignment binds or changes. */
const targetsIn = (words: readonly Word[], after: string): Found => {
	const found: Found = {uses: [], binds: [], changes: []};
	/** True for each open bracket of a subscript or a call, in which no names are bound. */
	const inPart: boolean[] = [];
	for (const [at, word] of words.entries()) {
		if (word.kind === 'bracket') {
			const before = words[at - 1];
			const isTuple = before === undefined || word.gap.trim() !== '' || /^[([]$/.test(before.text);
			if (/^[([{]$/.test(word.text)) inPart.push((inPart.at(-1) ?? false) || !isTuple);
			else inPart.pop();
		}
		if (word.kind !== 'name' || isAttribute(word)) continue;
		const next = words[at + 1];
		const gap = next?.gap ?? after;
		const isPart = /^\s*\./.test(gap) || (gap.trim() === '' && (next?.text === '[' || next?.text === '('));
		if (inPart.at(-1)) found.uses.push(word.text);
		else if (isPart) {
			found.uses.push(word.text);
			found.changes.push(word.text);
		} else found.binds.push(word.text);
	}
	return found;
};

/** Names that an import binds: `a` for `import a.b`, `c` for `import a as c`. */
const importsIn = (words: readonly Word[]): string[] => {
	const from = words.findIndex(({text}) => text === 'import');
	const names: string[] = [];
	for (const word of words.slice(from + 1)) {
		if (word.kind !== 'name' || isAttribute(word)) continue;
		if (words[words.indexOf(word) - 1]?.text === 'as') names.pop();
		names.push(word.text);
	}
	return names;
};

const statementNames = (words: readonly Word[]): Found => {
	const none: Found = {uses: [], binds: [], changes: []};
	const keyword = words[0]?.text === 'async' ? words[1]?.text : words[0]?.text;
	if (keyword === 'import' || keyword === 'from') return {...none, binds: importsIn(words)};
	const named = words.flatMap((word, at) =>
		word.kind === 'name' && (words[at - 1]?.text === 'as' || /^\s*:=/.test(words[at + 1]?.gap ?? ''))
			? [word.text]
			: [],
	);
	if (keyword === 'def' || keyword === 'class') {
		const name = words.find(({kind}) => kind === 'definition');
		return {uses: namesUsed(words), binds: name ? [name.text] : [], changes: []};
	}
	const forAt = words.findIndex(({text, depth}) => text === 'for' && depth === 0);
	const inAt = words.findIndex(({text}, at) => at > forAt && text === 'in');
	if (forAt !== -1 && inAt !== -1) {
		const targets = targetsIn(words.slice(forAt + 1, inAt), '');
		return {
			...targets,
			uses: [
				...targets.uses,
				...namesUsed(words.slice(inAt + 1)).filter(name => !targets.binds.includes(name)),
			],
			binds: [...targets.binds, ...named],
		};
	}
	const last = words.findLastIndex(({gap, depth}) => depth === 0 && ASSIGNS.test(gap));
	if (last > 0) {
		const left = words.slice(0, last).filter(({text}) => text !== '*');
		const typed = left.findIndex(({gap, depth}, at) => at > 0 && depth === 0 && /^\s*:(?!=)/.test(gap));
		const targets = targetsIn(typed === -1 ? left : left.slice(0, typed), words[last]?.gap ?? '');
		const value = namesUsed([...(typed === -1 ? [] : left.slice(typed)), ...words.slice(last)]);
		return {uses: [...targets.uses, ...value], binds: [...targets.binds, ...named], changes: targets.changes};
	}
	const changed = words.findIndex(({gap, depth}) => depth === 0 && CHANGES_IN_PLACE.test(gap));
	const first = words[0];
	const isInPlace = words.some(
		({text}, at) => text === 'inplace' && isArgument(words, at) && words[at + 1]?.text === 'True',
	);
	return {
		uses: namesUsed(words).filter(name => !named.includes(name)),
		binds: named,
		changes: (changed > 0 || isInPlace) && first?.kind === 'name' ? [first.text] : [],
	};
};

/** Splits the words of a logical line into statements, at semicolons. */
const statementsIn = (words: readonly Word[]): readonly (readonly Word[])[] => {
	const statements: Word[][] = [[]];
	for (const word of words) {
		if (word.depth === 0 && word.gap.includes(';')) statements.push([]);
		statements.at(-1)?.push(word);
	}
	return statements.filter(each => each.length > 0);
};

/** Parameters of a `def`: names after the opening bracket, a comma or a star. */
const parametersIn = (words: readonly Word[]): readonly string[] =>
	words.flatMap((word, at) => {
		const before = words[at - 1];
		const isFirst = before?.kind === 'bracket' && word.gap.replaceAll('*', '').trim() === '';
		return word.kind === 'name' && word.depth === 1 && (isFirst || /,[\s*]*$/.test(word.gap))
			? [word.text]
			: [];
	});

/**
 * Names that a cell's Python code uses, binds and changes. Estimated from the source without
 * running it.
 */
export const cellNames = (source: string): CellNames => {
	const code = pythonOf(source);
	const uses = new Set<string>();
	const binds = new Set<string>();
	const changes = new Set<string>();
	/**
	 * Bodies of the functions and classes around the current line, with the names bound in them.
	 */
	let bodies: {readonly indent: number; readonly locals: Set<string>}[] = [];
	const {lines} = scanPython(code);
	for (const [at, {start, indent, keyword}] of lines.entries()) {
		const words = wordsOf(code.slice(start, lines[at + 1]?.start));
		bodies = bodies.filter(body => body.indent < indent.length);
		const locals = bodies.at(-1)?.locals;
		const isLocal = (name: string): boolean => bodies.some(body => body.locals.has(name));
		const parameters = keyword === 'def' ? parametersIn(words) : [];
		for (const statement of statementsIn(words)) {
			const found = statementNames(statement);
			for (const name of found.uses)
				if (!isLocal(name) && !parameters.includes(name) && !binds.has(name)) uses.add(name);
			for (const name of found.changes) if (!isLocal(name) && !locals) changes.add(name);
			for (const name of found.binds) (locals ?? binds).add(name);
		}
		if (keyword === 'def' || keyword === 'class')
			bodies.push({indent: indent.length, locals: new Set(parameters)});
	}
	return {uses, binds, changes};
};

/** Earlier cell, with the names that later cells use from it. */
export type NeededCell = {readonly index: number; readonly names: readonly string[]};

/**
 * Cells that the last cell depends on, in order. Each binds or changes a name that a later one of
 * them uses. `sources`: sources of the cells in the order in which they ran.
 */
export const neededCells = (sources: readonly string[]): readonly NeededCell[] => {
	const last = sources.length - 1;
	const wanted = new Set(cellNames(sources[last] ?? '').uses);
	const needed: NeededCell[] = [];
	for (let index = last - 1; index >= 0 && wanted.size > 0; index--) {
		const {uses, binds, changes} = cellNames(sources[index] ?? '');
		const names = [...new Set([...binds, ...changes])].filter(name => wanted.has(name));
		if (names.length === 0) continue;
		needed.unshift({index, names});
		for (const name of binds) wanted.delete(name);
		for (const name of uses) wanted.add(name);
	}
	return needed;
};
