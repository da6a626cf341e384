// Original fields of leniently parsed values: `--json` prints only the fields that were sent.
import {isRecord} from './record.ts';

type Fields = Readonly<Record<string, unknown>>;

const SENT = new WeakMap<object, Fields>();

/** Attaches the sent fields to the value parsed from them, and returns that value. */
export const keepSent = <T>(read: T, sent: unknown): T => {
	if (typeof read === 'object' && read !== null && isRecord(sent)) SENT.set(read, sent);
	return read;
};

export const asSent = (read: object): Fields => SENT.get(read) ?? {};
