import {messageText, sentBytes, type Attached} from './attachments.ts';
import {commandIn} from './commands.ts';
import {messagesOf, messageContextOf, turnsBefore, type MessageContext, type Turn} from './conversation.ts';
import {label} from '../../text/safe.ts';
import {cellWidth} from '../../text/width/width.ts';
import {bytesText} from '../../text/size.ts';
import {paint} from '../core/theme/theme.ts';

const UNSEEN = {new: ', shown first', changed: ', changed, shown first'} as const;

const itemText = ({mention, packed, problem, unseen}: Attached): string => {
	const name = label(mention, 80);
	if (problem !== null) return paint('bad', `${name} cannot be sent`);
	if (packed === null) return `${name} ${paint('dim', '…')}`;
	const size = bytesText(sentBytes(packed));
	return `${name} ${paint('dim', `${size}${unseen === undefined ? '' : UNSEEN[unseen]}`)}`;
};

const HEAD = ' with ';

/**
 * Context of the next message with sizes, in rows of at most `width` cells; none if there is no
 * context.
 */
export const trayLines = (
	conversation: MessageContext,
	width: number,
	keyName: string,
): readonly string[] => {
	const items = messageContextOf(conversation).map(itemText);
	if (items.length === 0) return [];
	const rows: string[] = [];
	let row = paint('accent', HEAD);
	for (const item of [...items, keyName === '' ? '' : paint('dim', `${keyName} removes one`)]) {
		if (cellWidth(row) + cellWidth(item) + 3 > width && row !== paint('accent', HEAD)) {
			rows.push(row);
			row = ' '.repeat(HEAD.length);
		}
		row += `${item}   `;
	}
	return [...rows, row.trimEnd()];
};

const sizes = new WeakMap<Turn, number>();
const sizeOf = (turn: Turn): number => {
	const known =
		sizes.get(turn) ?? messagesOf([turn]).reduce((sum, {content}) => sum + Buffer.byteLength(content), 0);
	sizes.set(turn, known);
	return known;
};

/** Tokens of the conversation up to the last turn, as the service counts them; empty if unknown. */
const tokensText = (last: Turn | undefined): string => {
	const {promptTokens, completionTokens} = last?.usage ?? {promptTokens: null, completionTokens: null};
	return promptTokens === null || completionTokens === null
		? ''
		: ` (${(promptTokens + completionTokens).toLocaleString('en')} tokens)`;
};

/**
 * Size of the earlier turns, which each message includes, and the total size once the next message
 * has text or attachments.
 */
export const meterText = (conversation: MessageContext): string => {
	const before = turnsBefore(conversation);
	const earlier = before.reduce((sum, turn) => sum + sizeOf(turn), 0);
	const tray = messageContextOf(conversation).flatMap(({packed}) => packed ?? []);
	const {text} = conversation.draft;
	const all = earlier + Buffer.byteLength(messageText(text.trim(), tray));
	const turns =
		before.length === 0
			? ''
			: `sends ${before.length} earlier turn${before.length === 1 ? '' : 's'}, ${bytesText(earlier)}${tokensText(before.at(-1))}`;
	const isMore = tray.length > 0 || (before.length > 0 && commandIn(text) === null && text.trim() !== '');
	return [turns, isMore ? `next message ${bytesText(all)}` : ''].filter(each => each !== '').join('; ');
};
