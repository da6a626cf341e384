import {Lexer, type MarkedToken, type Token} from 'marked';
import {decodeEntities} from '../output/entities.ts';
import {block} from '../safe.ts';

export type MarkdownStyle = 'heading' | 'strong' | 'emphasis' | 'strike' | 'code' | 'link' | 'dim' | 'accent';

/** Appearance of rendered Markdown. `paint` receives text without line ends. */
export type MarkdownOptions = {
	readonly paint: (style: MarkdownStyle, text: string) => string;
	readonly bullet: string;
	readonly rule: string;
	readonly bar: string;
	/** Mark of a wrapped line of code, one cell wide. */
	readonly goesOn: string;
	/** Corners of a box: top left, top right, bottom left, bottom right. */
	readonly corners: readonly [string, string, string, string];
	/** Newlines in a paragraph break the line, as in chats. Else they are spaces, as in files. */
	readonly breaks: boolean;
};

/** Marks beyond which a paragraph is shown as plain text: matching them takes quadratic time. */
const MOST_MARKS = 400;

type Styles = ReadonlySet<MarkdownStyle>;

const inlineTokens = (tokens: readonly Token[], look: MarkdownOptions, within: Styles): string => {
	/** Styles each line separately. A style nested in itself would end the outer one. */
	const styled = (style: MarkdownStyle, text: string): string =>
		within.has(style)
			? text
			: text
					.split('\n')
					.map(line => (line === '' ? '' : look.paint(style, line)))
					.join('\n');
	const inner = (children: readonly Token[], style: MarkdownStyle): string =>
		styled(style, inlineTokens(children, look, new Set([...within, style])));
	// Bold and dim end with the same code, so they cannot be nested.
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
					return styled('code', block(token.raw.replaceAll('\n', ' ')));
				case 'br':
					return '\n';
				case 'link': {
					const href = block(token.href);
					const text = inlineTokens(token.tokens, look, new Set([...within, 'link']));
					const isPlain =
						token.text === token.href ||
						`mailto:${token.text}` === token.href ||
						`http://${token.text}` === token.href;
					// Headings are underlined already.
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

/** Renders inline Markdown, safe for the screen. May contain line ends: wrap its lines. */
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
