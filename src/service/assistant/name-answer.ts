import type {Lookup} from '../../engines/engine.ts';
import {code, count, cut, fence, paragraphs} from './markdown.ts';
import {parsePydoc} from './pydoc-text.ts';

const DOC_LINES = 20;
const MEMBERS = 24;

// First line that pydoc writes for a module that has no documentation of its own.
const AUTOMATIC = /^The following documentation is automatically generated/;

export const describeName = (name: string, pydoc: string): string => {
	const {what, signature, doc, members} = parsePydoc(pydoc);
	const own = doc.filter(line => !AUTOMATIC.test(line));
	const shown = own.slice(0, DOC_LINES);
	const hidden = own.length - shown.length;
	return paragraphs(
		`${code(name)}${what === '' ? '.' : `: ${what}.`} From Python's own documentation:`,
		signature !== '' && fence(cut(signature, 400), 'python'),
		shown.length > 0 && fence(shown.join('\n'), 'text'),
		members.length > 0 &&
			`It has ${members.slice(0, MEMBERS).map(code).join(', ')}${members.length > MEMBERS ? ` and ${members.length - MEMBERS} more` : ''}.`,
		(hidden > 0 || members.length > 0) &&
			`${hidden > 0 ? `${count(hidden, 'more line')}: run` : 'All of it: run'} ${code(`help(${/^[\w.]+$/.test(name) ? `'${name}'` : name})`)} in the REPL.`,
	);
};

/**
 * Meaning of an exception: the first paragraph of its class's documentation. Null if there is none.
 */
export const meaningOf = async (
	names: readonly string[],
	lookup: Lookup,
): Promise<{readonly name: string; readonly meaning: string} | null> => {
	for (const name of names) {
		const text = await lookup.pydoc(name);
		if (text === null) continue;
		const {doc} = parsePydoc(text);
		// Includes the next paragraph if the first one ends with a colon.
		const end = doc.findIndex((line, at) => line === '' && !doc[at - 1]?.endsWith(':'));
		const meaning = doc
			.slice(0, end === -1 ? undefined : end)
			.filter(line => line !== '')
			.join(' ');
		if (meaning !== '') return {name, meaning};
	}
	return null;
};
