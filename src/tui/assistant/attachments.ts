import {
	mentionOf,
	mentionsIn,
	messageText,
	packFile,
	type Attachment,
	type Packed,
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

/** Bytes that an attachment adds to a message, with its fence. */
export const sentBytes = (packed: Packed): number => Buffer.byteLength(messageText('', [packed]));
