import {Lexer, type MarkedToken, type Token} from 'marked';
import {decodeEntities} from '../output/entities.ts';
import {block} from '../safe.ts';

export type MarkdownStyle = 'heading' | 'strong' | 'emphasis' | 'strike' | 'code' | 'link' | 'dim' | 'accent';

/** Appearance of rendered Markdown. `paint` is called with text of one line only. */
export type MarkdownOptions = {
	readonly paint: (style: MarkdownStyle, text: string) => string;
	readonly bullet: string;
	readonly rule: string;
	readonly bar: string;
	/** Mark at the start of a continuation row of code, one cell wide. */
	readonly goesOn: string;
	/** Longest row of prose in cells; code and tables may be wider. */
	readonly measure: number;
	/** Newlines in a paragraph break the line, as in chats. Else they are spaces, as in files. */
	readonly breaks: boolean;
};

/**
 * Maximum number of emphasis marks in a paragraph. Matching them takes quadratic time, so a
 * paragraph with more is shown as plain text.
 */
const MOST_MARKS = 400;

type Styles = ReadonlySet<MarkdownStyle>;

const inlineTokens = (tokens: readonly Token[], look: MarkdownOptions, within: Styles): string => {
	/**
	 * Styles each line separately. Skips a style that is already active, because the end code of
	 * the inner one would end the outer one too.
	 */
	const styled = (style: MarkdownStyle, text: string): string =>
		within.has(style)
			? text
			: text
					.split('\n')
					.map(line => (line === '' ? '' : look.paint(style, line)))
					.join('\n');
	const inner = (children: readonly Token[], style: MarkdownStyle): string =>
		styled(style, inlineTokens(children, look, new Set([...within, style])));
	// Bold and dim have the same end code, so they cannot be nested.
	const faint = (text: string): string =>
		within.has('strong') || within.has('heading') ? text : styled('dim', text);
	return (tokens as readonly MarkedToken[])
		.map(token => {
			switch (token.type) {
				case 'text':
					return block(decodeEntities(token.text));
				case 'escape':
					return block(token.text);
				case 'strong':
					return within.has('heading')
						? inlineTokens(token.tokens, look, within)
						: inner(token.tokens, 'strong');
				case 'em':
					return inner(token.tokens, 'emphasis');
				case 'del':
					return inner(token.tokens, 'strike');
				case 'codespan':
					return styled('code', block(token.text.replaceAll('\n', ' ')));
				case 'br':
					return '\n';
				case 'link': {
					const href = block(token.href);
					const text = inlineTokens(token.tokens, look, new Set([...within, 'link']));
					const isPlain =
						token.text === token.href ||
						`mailto:${token.text}` === token.href ||
						`http://${token.text}` === token.href;
					// Headings are already underlined, so a link in one needs no underline.
					const shown = within.has('heading') ? text : styled('link', text);
					return isPlain || href === '' ? shown : `${shown} ${faint(`(${href})`)}`;
				}
				case 'image':
					return `${faint('image')} ${block(token.text)} ${faint(`(${block(token.href)})`)}`;
				case 'html':
					return /^<br\s*\/?>$/i.test(token.text) ? '\n' : faint(block(token.raw.replaceAll('\n', ' ')));
				default:
					return block(token.raw);
			}
		})
		.join('');
};

/**
 * Renders inline Markdown as text that is safe for the screen. The result may contain line ends, so
 * wrap each of its lines.
 */
export const inlineText = (
	source: string,
	look: MarkdownOptions,
	within: readonly MarkdownStyle[] = [],
): string => {
	const text = look.breaks ? source : source.replaceAll(/(?<! {2}|\\)\n/g, ' ');
	const marks = text.match(/[*_~`[\]<!@\\&:]/g)?.length ?? 0;
	if (marks === 0 && !text.includes('www.')) return block(text);
	if (marks > MOST_MARKS) return block(text);
	return inlineTokens(new Lexer({gfm: true, breaks: true}).inlineTokens(text), look, new Set(within));
};
