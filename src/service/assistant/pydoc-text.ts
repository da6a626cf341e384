import {withoutEnd} from '../../text/ends.ts';

/** Parts of a text from pydoc. `what`: its title, such as `function loads in json`. */
export type PydocParts = {
	readonly what: string;
	readonly signature: string;
	readonly doc: readonly string[];
	/**
	 * Public functions and classes if it describes a module, or public methods if it describes a
	 * class.
	 */
	readonly members: readonly string[];
};

const HEADER = /^(?:Python Library Documentation: |Help on )(.*?):?$/;

const unindent = (lines: readonly string[], by: RegExp): string[] =>
	lines.map(line => line.replace(by, '').trimEnd());

const trimmed = (lines: readonly string[]): readonly string[] => {
	const first = lines.findIndex(line => line !== '');
	return first === -1 ? [] : lines.slice(first, lines.findLastIndex(line => line !== '') + 1);
};

/** Indented lines below an unindented heading in capitals, such as DESCRIPTION. */
const section = (lines: readonly string[], heading: string): readonly string[] => {
	const from = lines.indexOf(heading);
	if (from === -1) return [];
	const length = lines.slice(from + 1).findIndex(line => /^\S/.test(line));
	return trimmed(unindent(lines.slice(from + 1, length === -1 ? undefined : from + 1 + length), /^ {1,4}/));
};

/** Number of lines of a signature, since pydoc breaks long signatures at commas. */
const signatureLength = (lines: readonly string[]): number => {
	let open = 0;
	for (const [at, line] of lines.entries()) {
		open += (line.match(/[([{]/g) ?? []).length - (line.match(/[)\]}]/g) ?? []).length;
		if (open <= 0) return at + 1;
	}
	return 1;
};

const publicNames = (lines: readonly string[], form: RegExp): string[] =>
	[...new Set(lines.flatMap(line => form.exec(line)?.[1] ?? []))].filter(name => !name.startsWith('_'));

const ofModule = (what: string, lines: readonly string[]): PydocParts => {
	const [name = ''] = section(lines, 'NAME');
	const [, title = ''] = name.split(' - ');
	const classes = publicNames(section(lines, 'CLASSES'), /^(?: *|.*\| {2})class (\w+)/);
	return {
		what,
		signature: '',
		doc: trimmed([...(title === '' ? [] : [title, '']), ...section(lines, 'DESCRIPTION')]),
		members: [...publicNames(section(lines, 'FUNCTIONS'), /^(?:async )?(\w+)(?:\(| = )/), ...classes],
	};
};

const ofClass = (what: string, lines: readonly string[]): PydocParts => {
	const [head = ''] = lines;
	const body = unindent(
		lines.slice(1).filter(line => line.startsWith(' |')),
		/^ \| {0,2}/,
	);
	const end = body.findIndex(line =>
		/^(Method resolution order:|Methods defined here:|Methods inherited|Built-in subclasses:|Data descriptors|Readonly properties|Static methods|Class methods|-{20,})/.test(
			line,
		),
	);
	const doc = trimmed(end === -1 ? body : body.slice(0, end));
	const [first = ''] = doc;
	// The text of a class contains the call signature before the docstring.
	const length = signatureLength(doc);
	const called = /^[\w.]+\($/.test(first) || /^[\w.]+\((?:.*\)$|.*\) -> )/.test(first);
	const methods = body.slice(body.indexOf('Methods defined here:') + 1);
	return {
		what,
		signature: called ? [head, ...doc.slice(0, length)].join('\n') : head,
		doc: trimmed(called ? doc.slice(length) : doc),
		members: body.includes('Methods defined here:')
			? publicNames(methods, /^(?:async )?([A-Za-z]\w*)\(/)
			: [],
	};
};

/** Parses a text from pydoc. A text in an unexpected form becomes `doc`. */
export const parsePydoc = (text: string): PydocParts => {
	const all = text.replaceAll(/.\u0008/g, '').split('\n');
	const [, what] = HEADER.exec(all[0] ?? '') ?? [];
	if (what === undefined)
		return {what: '', signature: '', doc: trimmed(all.map(line => line.trimEnd())), members: []};
	const lines = trimmed(all.slice(1).map(line => withoutEnd(line, ' \t')));
	if (lines.includes('NAME') && lines[0] === 'NAME') return ofModule(what, lines);
	if (/\bclass [\w.]+/.test(lines[0] ?? '') && lines.some(line => line.startsWith(' |')))
		return ofClass(what, lines);
	const length = signatureLength(lines);
	return {
		what,
		signature: lines.slice(0, length).join('\n'),
		doc: trimmed(unindent(lines.slice(length), /^ {1,4}/)),
		members: [],
	};
};
