import {answerEnd, answerEndText, leftOutText} from '../text/answer-end.ts';
import {MODELS} from '../contract/names.ts';
import type {Context} from './context.ts';
import {definedFields} from '../text/record.ts';
import {safeJson} from './json.ts';
import {reachServer, whenNotFound} from './on-server.ts';
import {messageOf, readQuestion} from './question.ts';
import {printJson, printNotice} from './print.ts';
import {createSafeStream} from './terminal-text.ts';

/** Writes fragments as they arrive: escaped on a terminal, unchanged in a pipe. */
const createWriter = ({stdout}: Context) => {
	const safe = createSafeStream();
	let last = '\n';
	let written = Promise.resolve();
	const write = (text: string): void => {
		if (text === '') return;
		last = text.at(-1) ?? last;
		written = written.then(() => stdout.write(text));
		// `end` reports the failure. Without this handler, an early rejection would end the
		// process.
		written.catch(() => {});
	};
	return {
		write,
		push: (fragment: string) => write(stdout.isTTY ? safe.push(fragment) : fragment),
		end() {
			if (stdout.isTTY) write(safe.end());
			// Starts a new line, so that the shell's prompt is on its own line.
			if (stdout.isTTY && last !== '\n') write('\n');
			return written;
		},
	};
};

const MISSING = 'No question given. Pass it in quotes or pipe it in.';

/**
 * Runs `chat`: asks one question. If the answer is interrupted, prints the part that has arrived
 * and reports the failure.
 */
export const chat = async (
	context: Context,
	server: string,
	prompt: string | undefined,
	{model: named}: {readonly model?: string},
): Promise<void> => {
	const question = await readQuestion(context, prompt, MISSING);
	const {service, explain} = await reachServer(
		context,
		server,
		whenNotFound('Choose another model with -m.'),
	);
	// Default: the profile's first model. Without a list in the profile: the API's second model,
	// because it reports the end of its answer and its usage.
	const model =
		service.models.find(({id, name}) => id === named || name === named)?.id ??
		named ??
		service.models[0]?.id ??
		MODELS[1];
	const writer = createWriter(context);
	const {json, jsonl, signal} = context;
	const writeLine = (text: string): void => writer.write(`${safeJson({text})}\n`);
	const onText = jsonl ? writeLine : json ? undefined : writer.push;
	const content = await messageOf(context, service.client, server, question, explain);
	const messages = [{role: 'user', content}] as const;
	const reply = await service.client.chat(server, model, messages, {signal, ...definedFields({onText})});
	await writer.end();
	if (!reply.ok) throw await explain(reply.failure);
	const {messageId, content: answer, finishReason, usage, complete, problem, notes} = reply.value;
	const {skipped = {}, bad = 0, badSamples: samples = []} = notes ?? {};
	if (json)
		await printJson(context, {
			messageId,
			...(!jsonl && {content: answer}),
			finishReason,
			usage,
			complete,
			// Stream lines that are not part of the answer and are otherwise not shown.
			...(Object.keys(skipped).length > 0 && {skipped}),
			...(bad > 0 && {unreadable: {lines: bad, samples}}),
		});
	const leftOut = leftOutText({skipped, bad});
	if (leftOut !== '') await printNotice(context, leftOut);
	// If the answer ended with an error, the command fails and reports it.
	if (problem === null && answerEnd(finishReason) !== 'error' && answerEndText(finishReason) !== '')
		await printNotice(context, answerEndText(finishReason));
	if (problem) throw await explain(problem);
};
