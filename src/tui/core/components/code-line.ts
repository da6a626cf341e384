import {block} from '../../../text/safe.ts';
import {bracketAt, pythonTokens} from '../../../text/python/python-tokens.ts';
import type {CodeRole} from '../../../text/python/code-language.ts';
import {paint, paintCode} from '../theme/theme.ts';

type Part = {readonly from: number; readonly to: number; readonly role: CodeRole | 'match' | 'bad'};

const inRole = (role: Part['role'], text: string): string =>
	role === 'match' || role === 'bad' ? paint(role, text) : paintCode(role, text);

/**
 * Python code as coloured lines that are safe for the terminal. With `cursor`, the bracket there
 * and its partner are highlighted. A line with control characters or tabs has no colours.
 */
export const pythonLines = (code: string, cursor?: number): readonly string[] => {
	const tokens = pythonTokens(code);
	const match = cursor === undefined ? null : bracketAt(code, tokens, cursor);
	const marked = new Map<number, 'match' | 'bad'>(
		match === null
			? []
			: match.partner === null
				? [[match.bracket, 'bad']]
				: [
						[match.bracket, 'match'],
						[match.partner, 'match'],
					],
	);
	const parts: Part[] = tokens.flatMap(({kind, from, to}): Part[] => {
		const mark = marked.get(from);
		if (kind === 'bracket') return mark === undefined ? [] : [{from, to, role: mark}];
		return kind === 'name' ? [] : [{from, to, role: kind === 'definition' ? 'title' : kind}];
	});
	let next = 0;
	let start = 0;
	return code.split('\n').map(line => {
		const end = start + line.length;
		let shown = '';
		let at = start;
		const safe = block(line);
		const isPlain = safe === line;
		for (let part = parts[next]; part !== undefined && part.from < end; part = parts[next]) {
			if (isPlain) {
				shown +=
					code.slice(at, Math.max(at, part.from)) +
					inRole(part.role, code.slice(Math.max(at, part.from), Math.min(part.to, end)));
				at = Math.min(part.to, end);
			}
			// A string that spans several lines continues on the next one.
			if (part.to > end) break;
			next++;
		}
		shown = isPlain ? shown + code.slice(at, end) : safe;
		start = end + 1;
		return shown;
	});
};
