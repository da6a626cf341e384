// Replaces the LaTeX formulas in Markdown by Unicode text.
import {withFormulas} from '../latex/latex.ts';
import {endsFence, fenceIn, type Fence} from './fence.ts';
import {isBlank} from './lines.ts';
import {outsideCode} from './resolved.ts';

/** Escapes the characters that have a meaning in Markdown. */
const escaped = (formula: string): string => formula.replaceAll(/[\\`*_{}[\]<>#+!|~&-]/g, String.raw`\$&`);

/**
 * Replaces the formulas in Markdown by Unicode text, except in code and where the form is
 * ambiguous.
 */
export const markdownWithFormulas = (source: string): string => {
	if (!/\$|\\[[(]|\\begin\{/.test(source)) return source;
	const made: string[] = [];
	let paragraph: string[] = [];
	let fence: Fence | null = null;
	const endParagraph = (): void => {
		if (paragraph.length > 0)
			made.push(outsideCode(paragraph.join('\n'), text => withFormulas(text, escaped)));
		paragraph = [];
	};
	for (const line of source.split(/\r\n?|\n/)) {
		const opens: Fence | null = fence === null ? fenceIn(line) : null;
		if (fence === null && opens === null && !isBlank(line)) {
			paragraph.push(line);
			continue;
		}
		endParagraph();
		made.push(line);
		if (fence === null) fence = opens;
		else if (endsFence(line, fence)) fence = null;
	}
	endParagraph();
	return made.join('\n');
};
