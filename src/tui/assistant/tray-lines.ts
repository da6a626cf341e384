import {messageText, type Attached} from './attachments.ts';
import {isAnswering, messagesOf, trayOf, type Conversation, type Turn} from './conversation.ts';
import {label} from '../../text/safe.ts';
import {cellWidth} from '../../text/width/width.ts';
import {bytesText} from '../core/components/age.ts';
import {paint} from '../core/theme/theme.ts';

const itemText = ({mention, packed, problem}: Attached): string => {
	const name = label(mention, 80);
	if (problem !== null) return paint('bad', `${name} cannot be sent`);
	return packed === null
		? `${name} ${paint('dim', '…')}`
		: `${name} ${paint('dim', bytesText(Buffer.byteLength(messageText('', [packed]))))}`;
};

const HEAD = ' with ';

/** What the next message carries, with sizes, in rows of at most `width` cells; no rows when it carries nothing. */
export const trayLines = (
	conversation: Pick<Conversation, 'attached' | 'draft'>,
	width: number,
	keyName: string,
): readonly string[] => {
	const items = trayOf(conversation).map(itemText);
	if (items.length === 0) return [];
	const rows: string[] = [];
	let row = paint('accent', HEAD);
	for (const item of [...items, keyName === '' ? '' : paint('dim', `${keyName} takes one out`)]) {
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

/** What of the conversation goes along with the next question: the service keeps no history. */
export const earlierText = ({turns}: Pick<Conversation, 'turns'>): string => {
	const sent = turns.filter(turn => !turn.replaced && !isAnswering(turn));
	if (sent.length === 0) return '';
	return `${sent.length} turn${sent.length === 1 ? '' : 's'} before, ${bytesText(sent.reduce((sum, turn) => sum + sizeOf(turn), 0))}`;
};
