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
 * An attachment of the next message. `explicit`: added by a key; otherwise it is attached as long
 * as the question mentions it.
 */
export type Attached = {
	readonly mention: string;
	/** The attachment; null if it comes from a message that was sent earlier. */
	readonly attachment: Attachment | null;
	readonly explicit: boolean;
	readonly packed: Packed | null;
	/** Reason why the attachment cannot be sent. */
	readonly problem: string | null;
	/** The attachment is new, or its text has changed: the user must see it before it is sent. */
	readonly unseen?: 'new' | 'changed';
};

/** Bytes that an attachment adds to a message, with its fence. */
export const sentBytes = (packed: Packed): number => Buffer.byteLength(messageText('', [packed]));
