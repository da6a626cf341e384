// What a service sent, beside what was read of it leniently: under `--json` only the fields that came are printed.
import {isRecord} from './record.ts';

type Fields = Readonly<Record<string, unknown>>;

const SENT = new WeakMap<object, Fields>();

/** Lets what was read of a value remember it. Answers it. */
export const keepSent = <T>(read: T, sent: unknown): T => {
	if (typeof read === 'object' && read !== null && isRecord(sent)) SENT.set(read, sent);
	return read;
};

/** The fields that were sent; none where nothing but a text came, or nothing at all. */
export const asSent = (read: object): Fields => SENT.get(read) ?? {};
