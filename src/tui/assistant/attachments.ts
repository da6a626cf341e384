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
 * An attachment of the next message. `explicit`: added by a key. Other attachments last as long as
 * the question mentions them.
 */
export type Attached = {
	readonly mention: string;
	/** File or cell to load; null if the text in `packed` is already complete. */
	readonly attachment: Attachment | null;
	readonly explicit: boolean;
	readonly packed: Packed | null;
	/** Reason why the attachment cannot be sent; null if none is known. */
	readonly problem: string | null;
	/** Set if the user must see the attachment before it is sent: it is new or has changed. */
	readonly unseen?: 'new' | 'changed';
};

/** Bytes that an attachment adds to a message, including its code fence. */
export const sentBytes = (packed: Packed): number => Buffer.byteLength(messageText('', [packed]));
