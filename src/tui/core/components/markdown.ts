import {useEffect, useState} from 'react';
import type {MarkdownOptions, MarkdownStyle} from '../../../text/markdown/markdown.ts';
import {glyph} from '../theme/glyphs.ts';
import {isAscii, paint, type Role} from '../theme/theme.ts';

/**
 * The renderer of markdown. Loaded by the first pane that may show markdown, because the first
 * frame does not need it.
 */
export type MarkdownEngine = typeof import('../../../text/markdown/markdown.ts');

const ROLES: Readonly<Record<MarkdownStyle, Role>> = {
	heading: 'title',
	strong: 'heading',
	emphasis: 'emphasis',
	strike: 'strike',
	code: 'accent',
	link: 'link',
	dim: 'dim',
	accent: 'accent',
};

/** Style of the assistant's answers, which keeps line ends within a paragraph. */
export const ANSWER_STYLE: MarkdownOptions = {
	paint: (style, text) => paint(ROLES[style], text),
	bullet: glyph.bullet,
	rule: glyph.rule,
	bar: glyph.divider,
	goesOn: glyph.goesOn,
	measure: 92,
	breaks: true,
};

/** A document as rows of at most `width` cells. */
export const markdownRows = (
	{renderMarkdown, resolvedMarkdown, markdownWithFormulas}: MarkdownEngine,
	text: string,
	width: number,
): readonly string[] =>
	renderMarkdown(resolvedMarkdown(isAscii() ? text : markdownWithFormulas(text)), width, ANSWER_STYLE).rows;

let engine: MarkdownEngine | undefined;

/** The renderer; undefined until a pane has loaded it. */
export const markdownEngine = (): MarkdownEngine | undefined => engine;

/** Returns the renderer. `isNeeded`: true to load it if necessary. */
export const useMarkdown = (isNeeded = true): MarkdownEngine | undefined => {
	const [loaded, setLoaded] = useState(engine);
	useEffect(() => {
		if (engine !== undefined || !isNeeded) return;
		void import('../../../text/markdown/markdown.ts').then(module => {
			engine = module;
			setLoaded(module);
		});
	}, [isNeeded]);
	return loaded ?? engine;
};
