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

/** Tokens of the conversation up to the last turn, as the service counts them; null if unknown. */
const tokensOf = (last: Turn | undefined): number | null => {
	const {promptTokens = null, completionTokens = null} = last?.usage ?? {};
	return promptTokens === null || completionTokens === null ? null : promptTokens + completionTokens;
};

const bytesOf = (turns: readonly Turn[]): number => turns.reduce((sum, turn) => sum + sizeOf(turn), 0);

/**
 * Number and size of the earlier turns, as text; each message includes them. Empty without turns.
 */
export const carriedText = (conversation: MessageContext): string => {
	const before = turnsBefore(conversation);
	if (before.length === 0) return '';
	const tokens = tokensOf(before.at(-1));
	const size = tokens === null ? bytesText(bytesOf(before)) : `${tokens.toLocaleString('en')} tokens`;
	return `${before.length} turn${before.length === 1 ? '' : 's'} · ${size} carried`;
};

/** Size of the next message with the earlier turns, as text; empty if there is nothing to send. */
export const nextMessageText = (conversation: MessageContext): string => {
	const before = turnsBefore(conversation);
	const tray = messageContextOf(conversation).flatMap(({packed}) => packed ?? []);
	const {text} = conversation.draft;
	const isMore = tray.length > 0 || (before.length > 0 && commandIn(text) === null && text.trim() !== '');
	if (!isMore) return '';
	const all = bytesOf(before) + Buffer.byteLength(messageText(text.trim(), tray));
	return `next message ${bytesText(all)}`;
};
