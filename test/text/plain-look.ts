import type {MarkdownOptions} from '../../src/text/markdown/markdown.ts';

/** Markdown without colours. */
export const plainLook: MarkdownOptions = {
	paint: (_, text) => text,
	bullet: '•',
	rule: '─',
	bar: '│',
	goesOn: '↪',
	measure: 92,
	breaks: true,
};
