// Remembers the original fields of leniently parsed values, because `--json` prints the fields
// exactly as they were sent.
import {isRecord} from './record.ts';

type Fields = Readonly<Record<string, unknown>>;

const SENT = new WeakMap<object, Fields>();

/** Records `sent` as the original of `read`, which was parsed from it. Returns `read`. */
export const keepSent = <T>(read: T, sent: unknown): T => {
	if (typeof read === 'object' && read !== null && isRecord(sent)) SENT.set(read, sent);
	return read;
};

export const asSent = (read: object): Fields => SENT.get(read) ?? {};
