import type {MarkdownLook} from '../../src/text/markdown/markdown.ts';

/** Markdown without colours. */
export const plainLook: MarkdownLook = {
	paint: (_, text) => text,
	bullet: '•',
	rule: '─',
	bar: '│',
	goesOn: '↪',
	corners: ['╭', '╮', '╰', '╯'],
	breaks: true,
};
