import {Lexer, type MarkedToken, type Token} from 'marked';
import {decodeEntities} from '../output/entities.ts';
import {block} from '../safe.ts';

export type MarkdownStyle = 'heading' | 'strong' | 'emphasis' | 'strike' | 'code' | 'link' | 'dim' | 'accent';

/** How markdown looks: colours and glyphs are the caller's. `paint` gets text without line ends. */
export type MarkdownOptions = {
	readonly paint: (style: MarkdownStyle, text: string) => string;
	readonly bullet: string;
	readonly rule: string;
	readonly bar: string;
	/** Before what of a line of code goes on in the next row; of one cell. */
	readonly goesOn: string;
	/** Corners of a box: top left, top right, bottom left, bottom right. */
	readonly corners: readonly [string, string, string, string];
	/** A newline within a paragraph stays one, as chats write them; else it is a space, as files mean it. */
	readonly breaks: boolean;
};

/** Marks beyond which a paragraph is shown as it is: telling which of them belong together takes quadratic time. */
const MOST_MARKS = 400;

type Styles = ReadonlySet<MarkdownStyle>;

const inlineTokens = (tokens: readonly Token[], look: MarkdownOptions, within: Styles): string => {
	/** Each line by itself: a style never spans lines. A style within itself would end the outer one too. */
	const styled = (style: MarkdownStyle, text: string): string =>
		within.has(style)
			? text
			: text
					.split('\n')
					.map(line => (line === '' ? '' : look.paint(style, line)))
					.join('\n');
	const inner = (children: readonly Token[], style: MarkdownStyle): string =>
		styled(style, inlineTokens(children, look, new Set([...within, style])));
	// Weight and faintness end with the same code, so that the one cannot stand in the other.
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
					// A title is underlined already.
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

/** A paragraph's text with its emphasis, code, links and line breaks, safe to show. It may hold line ends; wrap its lines. */
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
