// Converts LaTeX mathematics to Unicode text. Formulas without an unambiguous form stay LaTeX.
import {mathText} from './formula.ts';

/**
 * Delimiters of formulas. Dollars follow Pandoc's rule: no space inside next to a dollar, and no
 * digit after the closing one. A price such as $5 is therefore not a formula.
 */
const FORMULAS: readonly RegExp[] = [
	/(?<![\\$])\$\$((?:[^$\\]|\\[\s\S]){1,2000}?)\$\$/g,
	/\\\[((?:[^\\]|\\(?!\])[\s\S]){1,2000}?)\\\]/g,
	/(?<![\\$])\$(?![\s$])((?:[^$\\]|\\[\s\S]){1,2000}?)(?<!\s)\$(?![\d$])/g,
	/\\\(((?:[^\\]|\\(?!\))[\s\S]){1,2000}?)\\\)/g,
	// Last, because a formula between dollars may contain environments.
	/(\\begin\{(\w+\*?)\}[\s\S]{1,2000}?\\end\{\2\})/g,
];
/**
 * Maximum length of a text in which formulas are converted, in UTF-16 units. Finding them is not
 * linear in the worst case.
 */
const MOST_TEXT = 100_000;

/**
 * Replaces each formula by Unicode text where that is unambiguous. `shown` transforms the text of
 * each replaced formula.
 */
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

/** Text of a LaTeX output. Formulas are Unicode text where that is unambiguous. */
export const latexText = (source: string): string => withFormulas(source.trim());
