import type {Client} from '../api/client-types.ts';
import type {Failure, Reply} from '../api/failure.ts';
import {blockLanguage} from '../text/python/code-language.ts';
import {label} from '../text/safe.ts';
import {endSentence} from '../text/sentence.ts';
import {mentionOf, mentionsIn, messageText, packFile, withinLimit, type Packed} from '../work/mentions.ts';
import {CommandError, usageError} from './command-error.ts';
import type {Context} from './context.ts';
import {readInput} from './input.ts';
import {printNotice} from './print.ts';

/**
 * `input`: content of standard input, to be attached. Null if it is empty, or if the question was
 * read from it.
 */
export type Question = {readonly text: string; readonly input: Packed | null};

/** Time in ms after which a notice reports that the pipe is still open. */
const WAIT_MS = 2000;
/** Maximum number of files that a question attaches. More names are probably part of piped text. */
const MOST_FILES = 20;

const inputBeside = async (context: Context): Promise<Packed | null> => {
	// Standard input is a terminal, or contains the API key. Neither can be attached.
	if (context.stdinIsTTY || context.options.apiKeyFile === '-') return null;
	const waits = setTimeout(
		() => void printNotice(context, 'Waiting for the end of standard input; </dev/null leaves it out.'),
		WAIT_MS,
	);
	const text = await readInput(context, true, '').finally(() => clearTimeout(waits));
	if (text.trim() === '') return null;
	const packing = withinLimit({mention: 'Standard input', head: 'Standard input:', language: '', text}, '');
	if ('problem' in packing)
		throw usageError(
			endSentence(packing.problem),
			'Upload it with svc-tui files put, and name some of its lines.',
		);
	return packing.packed;
};

/**
 * Reads the question, from the arguments or else from standard input. If it is in the arguments,
 * standard input is attached.
 * @throws {CommandError} if there is no question, or if the input is too large.
 */
export const readQuestion = async (
	context: Context,
	typed: string | undefined,
	missing: string,
): Promise<Question> => {
	const isInput = typed === undefined || typed === '-';
	const text = isInput ? await readInput(context, typed === '-', missing) : typed;
	if (text.trim() === '') throw usageError(missing);
	return {text, input: isInput ? null : await inputBeside(context)};
};

/** Further file endings, of files that are not written in a programming language. */
const OTHER_ENDINGS =
	/\.(txt|log|out|tsv|rst|tex|lock|dat|parquet|npy|npz|pkl|pt|h5|zip|gz|tar|pdf|png|jpe?g|gif|webp)$/i;

/** True if a word after @ is certainly a file, not a decorator such as @app.route. */
const isSurelyFile = (mention: string, path: string): boolean =>
	/^@"|#L\d/.test(mention) ||
	path.includes('/') ||
	blockLanguage(path) !== undefined ||
	OTHER_ENDINGS.test(path);

/**
 * True if the service has no such file or rejects the name. No other failure proves that a word is
 * not a file.
 */
const isAbsent = (reply: Reply<unknown>): boolean =>
	!reply.ok && (reply.failure.kind === 'not-found' || reply.failure.kind === 'config');

/**
 * Message to send: the question, the server's files that it names with @, and standard input.
 * @throws {CommandError} if a file cannot be attached. Then nothing is sent.
 */
export const messageOf = async (
	context: Context,
	client: Pick<Client, 'getFile'>,
	server: string,
	{text, input}: Question,
	explain: (failure: Failure) => Promise<CommandError>,
): Promise<string> => {
	const attached = new Map<string, Packed>();
	const mentions = new Map(mentionsIn(text).map(({attachment}) => [mentionOf(attachment), attachment]));
	for (const [mention, attachment] of [...mentions].slice(0, MOST_FILES)) {
		if (attachment.kind !== 'file') {
			await printNotice(context, `${label(mention, 60)} is sent as text: only the screens can attach cells.`);
			continue;
		}
		const reply = await client.getFile(server, attachment.path, {signal: context.signal});
		const packing = packFile(attachment, reply);
		if ('packed' in packing) attached.set(mention, packing.packed);
		else if (isAbsent(reply) && !isSurelyFile(mention, attachment.path))
			await printNotice(context, `${label(mention, 60)} is sent as text: there is no such file.`);
		else if (!reply.ok && reply.failure.kind !== 'not-found') throw await explain(reply.failure);
		else
			throw new CommandError(
				reply.ok ? 'usage' : 'not-found',
				endSentence(`Nothing was sent. ${label(packing.problem, 300)}`),
				'Correct the name after @, or remove the @ to send it as text.',
			);
	}
	if (mentions.size > MOST_FILES)
		await printNotice(context, `Only the first ${MOST_FILES} files that are named with @ are attached.`);
	const carried = [...attached.values(), ...(input === null ? [] : [input])];
	return carried.length === 0 ? text : messageText(text, carried);
};
