import {outputOfCell} from '../cells/cell-text.ts';
import {hasRaised, type Cell} from '../cells/cell.ts';
import {type Repl} from '../repl/transcript.ts';
import {
	mentionOf,
	mentionsIn,
	messageText,
	packFile,
	withinLimit,
	type Attachment,
	type Packed,
	type Packing,
} from '../../work/mentions.ts';

export {mentionOf, mentionsIn, messageText, packFile, type Attachment, type Packed};

/**
 * An attachment of the next message. `explicit`: attached by a key; otherwise it lasts while the
 * question mentions it.
 */
export type Attached = {
	readonly mention: string;
	/** The attachment; null if it belongs to a message sent earlier. */
	readonly attachment: Attachment | null;
	readonly explicit: boolean;
	readonly packed: Packed | null;
	/** Reason why it cannot be sent. */
	readonly problem: string | null;
	/** The user must see it before it is sent: it is new, or its text has changed. */
	readonly unseen?: 'new' | 'changed';
};

const packCell = (cell: Cell, mention: string, name: string): Packing => {
	const printed = outputOfCell(cell);
	const text =
		printed === ''
			? `${cell.source}\n`
			: `${cell.source}\n\n# ${hasRaised(cell) ? 'which raised' : 'which gave'}:\n${printed}`;
	return withinLimit({mention, head: `${name}:`, language: 'python', text}, '');
};

/** A cell of the REPL, or the last cell that raised an error. */
export const packFromRepl = (attachment: Exclude<Attachment, {kind: 'file'}>, repl: Repl): Packing => {
	const mention = mentionOf(attachment);
	if (attachment.kind === 'error') {
		const cell = repl.cells.findLast(hasRaised);
		return cell
			? packCell(cell, mention, 'The cell that raised last')
			: {problem: `${mention}: no cell has raised here`};
	}
	const cell = repl.cells.findLast(each => each.result?.execution_count === attachment.number);
	return cell
		? packCell(cell, mention, `Cell ${attachment.number}`)
		: {problem: `${mention}: there is no cell with that number here`};
};

/** Bytes that an attachment adds to a message, with its fence. */
export const sentBytes = (packed: Packed): number => Buffer.byteLength(messageText('', [packed]));
