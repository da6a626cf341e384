// LaTeX's mathematics as Unicode text. Anything that is not certain stays LaTeX.
import {mathText} from './formula.ts';

/**
 * Formulas between dollars, as in Pandoc: no space within them, no digit after. A price such as $5
 * is not a formula.
 */
const FORMULAS: readonly RegExp[] = [
	/(?<![\\$])\$\$((?:[^$\\]|\\[\s\S]){1,2000}?)\$\$/g,
	/\\\[((?:[^\\]|\\(?!\])[\s\S]){1,2000}?)\\\]/g,
	/(?<![\\$])\$(?![\s$])((?:[^$\\]|\\[\s\S]){1,2000}?)(?<!\s)\$(?![\d$])/g,
	/\\\(((?:[^\\]|\\(?!\))[\s\S]){1,2000}?)\\\)/g,
	// Last, since formulas between dollars may hold environments.
	/(\\begin\{(\w+\*?)\}[\s\S]{1,2000}?\\end\{\2\})/g,
];
/** Text beyond this is left as it is: finding formulas is not linear in the worst case. */
const MOST_TEXT = 100_000;

/** Text with each formula as Unicode, if that is certain. `shown` changes a formula's text. */
export const withFormulas = (text: string, shown = (formula: string): string => formula): string => {
	if (text.length > MOST_TEXT || !/[$\\]/.test(text)) return text;
	return FORMULAS.reduce(
		(now, pattern) =>
			now.replaceAll(pattern, (whole, inner: string) => {
				const formula = mathText(inner);
				return formula === null ? whole : shown(formula);
			}),
		text,
	);
};

/** Text of an output in LaTeX: its formulas as Unicode if that is certain. */
export const latexText = (source: string): string => withFormulas(source.trim());
