import type {Lookup, OutlineItem} from '../../engines/engine.ts';
import {bytes, code, count, fence, linesOf, numbered, paragraphs} from './markdown.ts';

const SHOWN_ITEMS = 40;
const SHOWN_LINES = 40;
const FIRST_LINES = 15;

const headOf = ({kind, name, signature}: OutlineItem): string => {
	const whole = signature.startsWith('(') || signature === '' ? name + signature : signature;
	return /^(async\s+)?(def|class)\b/.test(whole) ? whole : `${kind === 'class' ? 'class' : 'def'} ${whole}`;
};

const lastName = (name: string): string => name.split('.').at(-1) ?? name;

const summary = (items: readonly OutlineItem[]): string => {
	const classes = items.filter(item => item.kind === 'class').length;
	const functions = items.length - classes;
	return [
		classes > 0 && count(classes, 'class').replace('classs', 'classes'),
		functions > 0 && count(functions, 'function'),
	]
		.filter(Boolean)
		.join(' and ');
};

/**
 * Describes the definitions and imports in Python source from its outline. Does not run the source.
 */
export const describePython = async (
	what: string,
	text: string,
	size: number,
	lookup: Lookup,
	prose: string,
): Promise<string> => {
	const lines = linesOf(text);
	const {items, imports, error} = await lookup.outline(text);
	const opening = `${what} is Python: ${count(lines.length, 'line')}, ${bytes(size)}`;
	if (error !== null)
		return paragraphs(
			`${opening}. Python cannot parse it: ${code(error)}`,
			fence(numbered(lines, 1, FIRST_LINES), 'python'),
		);
	const words = new Set(prose.match(/[\p{L}\p{M}\p{N}_.]+/gu));
	const named = items.find(({name}) => words.has(lastName(name)));
	if (named !== undefined) {
		const next =
			items.find(
				item =>
					item.line > named.line && (named.kind === 'function' || !item.name.startsWith(`${named.name}.`)),
			)?.line ?? lines.length + 1;
		const end = Math.min(next - 1, named.line + SHOWN_LINES - 1);
		const body = lines
			.slice(named.line - 1, end)
			.join('\n')
			.trimEnd()
			.split('\n').length;
		return paragraphs(
			`${what} defines ${code(headOf(named))} on line ${named.line}${named.doc === '' ? ', without a docstring.' : `: ${named.doc}`}`,
			fence(numbered(lines, named.line, named.line + body - 1), 'python'),
		);
	}
	const rows = items
		.slice(0, SHOWN_ITEMS)
		.map(
			item =>
				`- line ${item.line}: ${code(headOf(item))}${item.doc === '' ? '' : ` — ${item.doc.replaceAll(/\s+/g, ' ')}`}`,
		);
	return paragraphs(
		`${opening}${items.length > 0 ? `, defines ${summary(items)}` : ', defines no function or class'}.`,
		imports.length > 0 && `It imports ${imports.map(code).join(', ')}.`,
		rows.join('\n'),
		items.length > SHOWN_ITEMS && `… and ${count(items.length - SHOWN_ITEMS, 'more definition')}.`,
		items.length === 0 && lines.length > 0 && fence(numbered(lines, 1, FIRST_LINES), 'python'),
	);
};
