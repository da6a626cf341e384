import {label} from '../text/safe.ts';
import type {CommandError} from './command-error.ts';
import type {Context} from './context.ts';
import {safeJson} from './json.ts';

type Streams = Pick<Context, 'json' | 'stdout' | 'stderr'>;

const ERROR_LENGTH = 600;
/** A note may name twelve things of 40 characters. */
const NOTE_LENGTH = 1000;

/** The result of a command under `--json`, or a line for each item under `--jsonl`: the same bytes on a terminal and in a pipe. */
export const printJson = ({stdout, jsonl}: Pick<Context, 'stdout' | 'jsonl'>, value: unknown): Promise<void> =>
	stdout.write(jsonl ? (Array.isArray(value) ? value : [value]).map(item => `${safeJson(item)}\n`).join('') : `${safeJson(value, 2)}\n`);

/** One calm line beside the result. Under `--json` every line of standard error is JSON. */
export const printNote = ({json, stderr}: Pick<Streams, 'json' | 'stderr'>, text: string): Promise<void> =>
	stderr.write(json ? `${safeJson({note: text})}\n` : `${label(text, NOTE_LENGTH)}\n`);

export const printError = ({json, stderr}: Pick<Streams, 'json' | 'stderr'>, error: CommandError): Promise<void> => {
	const {code, message, next, detail} = error;
	if (json) return stderr.write(`${safeJson({error: {code, message, next}})}\n`);
	const lines = [message, ...(detail === undefined ? [] : [detail]), next];
	return stderr.write(lines.filter(line => line !== '').map(line => `${label(line, ERROR_LENGTH)}\n`).join(''));
};

/** Says that entries of a list are missing from the table. */
export const noteUnreadable = async (context: Streams, count: number): Promise<void> => {
	if (count > 0) await printNote(context, `${count === 1 ? 'One entry' : `${count} entries`} of the list could not be read; --json shows the whole list as the service sent it.`);
};
