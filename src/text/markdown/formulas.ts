// Formulas in Markdown, as Unicode text in place of LaTeX.
import {withFormulas} from '../latex/latex.ts';
import {endsFence, fenceIn, type Fence} from './fence.ts';
import {isBlank} from './lines.ts';
import {outsideCode} from './resolved.ts';

/** Escapes characters that Markdown would read as marks. */
const escaped = (formula: string): string => formula.replaceAll(/[\\`*_{}[\]<>#+!|~&-]/g, String.raw`\$&`);

/** Markdown whose formulas are Unicode text, outside code and where LaTeX is certain. */
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
