import type * as z from 'zod';
import {isRecord} from '../text/record.ts';
import {label} from '../text/safe.ts';
import type {CommandError} from './command-error.ts';
import type {Context} from './context.ts';
import {safeJson} from './json.ts';

type Streams = Pick<Context, 'json' | 'stdout' | 'stderr'>;

const ERROR_LENGTH = 600;
/** Longest notice, in characters. Enough for twelve names of 40 characters. */
const NOTE_LENGTH = 1000;

/**
 * Prints the result as JSON: as one value, or under `--jsonl` one line per item. A terminal
 * receives the same bytes as a pipe.
 */
export const printJson = (
	{stdout, jsonl}: Pick<Context, 'stdout' | 'jsonl'>,
	value: unknown,
): Promise<void> =>
	stdout.write(
		jsonl
			? (Array.isArray(value) ? value : [value]).map(item => `${safeJson(item)}\n`).join('')
			: `${safeJson(value, 2)}\n`,
	);

/** Prints the result: a value under `--json`, else text. */
export const printResult = (
	context: Pick<Context, 'json' | 'jsonl' | 'stdout'>,
	value: unknown,
	text: string,
): Promise<void> => (context.json ? printJson(context, value) : context.stdout.write(text));

/** Prints a line to standard error. Under `--json`, each line there is JSON. */
export const printNotice = ({json, stderr}: Pick<Streams, 'json' | 'stderr'>, text: string): Promise<void> =>
	stderr.write(json ? `${safeJson({note: text})}\n` : `${label(text, NOTE_LENGTH)}\n`);

export const printError = (
	{json, stderr}: Pick<Streams, 'json' | 'stderr'>,
	error: CommandError,
): Promise<void> => {
	const {code, message, next, detail, failure} = error;
	// Details of the response, for scripts. Undefined fields are left out.
	const answer =
		failure?.status === undefined
			? {}
			: {
					status: failure.status,
					reason: failure.reason,
					request: `${failure.method} ${failure.path}`,
					body: failure.body,
				};
	if (json) return stderr.write(`${safeJson({error: {code, message, next, ...answer}})}\n`);
	const lines = [message, ...(detail === undefined ? [] : [detail]), next];
	return stderr.write(
		lines
			.filter(line => line !== '')
			.map(line => `${label(line, ERROR_LENGTH)}\n`)
			.join(''),
	);
};

/** Warns that the table lacks entries of the list. */
export const warnUnreadable = async (context: Streams, count: number): Promise<void> => {
	if (count > 0)
		await printNotice(
			context,
			`${count === 1 ? 'One entry' : `${count} entries`} of the list could not be read; --json shows the whole list as the service sent it.`,
		);
};

/**
 * Warns that entries of a list differ from the API's specification, with the differing fields of
 * the first.
 */
export const warnOffSpec = async (
	context: Streams,
	raw: readonly unknown[],
	asStated: z.ZodType,
): Promise<void> => {
	const odd = raw.map(item => ({item, read: asStated.safeParse(item)})).filter(({read}) => !read.success);
	const [first] = odd;
	if (first?.read.error === undefined) return;
	const fields = [...new Set(first.read.error.issues.map(({path}) => String(path[0] ?? 'the whole entry')))];
	const name =
		isRecord(first.item) && typeof first.item['name'] === 'string'
			? `${label(first.item['name'], 40)}: `
			: '';
	await printNotice(
		context,
		`${odd.length === 1 ? 'One entry differs' : `${odd.length} entries differ`} from the API (${name}${label(fields.slice(0, 4).join(', '), 120)}); unreadable values are shown as ?. --json prints the raw values.`,
	);
};
