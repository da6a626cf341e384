import {askService, createLiveSearch, searchFiles, type SearchReply} from '../api/search/search-files.ts';
import type {Match, SearchPage, SearchRequest} from '../api/search/search-page.ts';
import {label} from '../text/safe.ts';
import {endSentence} from '../text/sentence.ts';
import {CommandError, EXIT, usageError} from './command-error.ts';
import type {Context} from './context.ts';
import {serverPath} from './files.ts';
import {liveLink, reachServer, type OnServer} from './on-server.ts';
import {numberOf} from './option-values.ts';
import {printJson, printNotice} from './print.ts';

type GrepOptions = {readonly ignoreCase?: boolean; readonly fixed?: boolean; readonly limit?: string};

const LIMIT = 1000;

/** Colours of GNU grep. */
const coloured = (code: string, text: string): string => `\u001B[${code}m${text}\u001B[m`;

/** Line of a match, as grep prints it. A pipe receives the text unchanged. */
export const matchLine = (
	{path, line, text, start, end}: Match,
	{isTTY, colour}: {readonly isTTY: boolean; readonly colour: boolean},
): string => {
	if (!isTTY) return `${path}:${line}:${text}\n`;
	const characters = Array.from(text);
	const part = (from: number, to: number): string => label(characters.slice(from, to).join(''), 1000);
	if (!colour) return `${label(path, 1000)}:${line}:${part(0, characters.length)}\n`;
	const colon = coloured('36', ':');
	const match = start === end ? '' : coloured('1;31', part(start, end));
	return `${coloured('35', label(path, 1000))}${colon}${coloured('32', String(line))}${colon}${part(0, start)}${match}${part(end, characters.length)}\n`;
};

const PATTERN_HELP = '--fixed searches for the words as they are.';

const troubleError = (
	context: Context,
	server: string,
	{pattern, path}: SearchRequest,
	{trouble, says = ''}: SearchPage,
): CommandError | null => {
	switch (trouble) {
		case undefined:
			return null;
		case 'missing':
			return new CommandError(
				'not-found',
				`${JSON.stringify(path)} does not exist on ${JSON.stringify(server)}.`,
				`${context.typed('files', 'list', server)} lists the files at the root.`,
			);
		case 'pattern':
			return usageError(
				`${JSON.stringify(pattern)} is not a regular expression: ${endSentence(label(says, 200))}`,
				PATTERN_HELP,
			);
		case 'costly':
			return new CommandError(
				'unsupported',
				`${JSON.stringify(pattern)} may take too long, and the embedded engine cannot stop it.`,
				`Use at most two * or + and none within another. ${PATTERN_HELP}`,
			);
		case 'slow':
			return new CommandError(
				'timeout',
				`${JSON.stringify(pattern)} took too long${says === '' ? '' : ` in ${label(says, 300)}`}, so the search was stopped.`,
				`Simplify repetitions within repetitions, or name a folder. ${PATTERN_HELP}`,
			);
	}
};

const failureOf = async (
	server: string,
	{explain}: OnServer,
	reply: Exclude<SearchReply, {kind: 'page'}>,
): Promise<CommandError> => {
	switch (reply.kind) {
		case 'failed':
			return explain(reply.failure);
		case 'raised':
			return new CommandError(
				'unsupported',
				`The files of ${JSON.stringify(server)} could not be searched: ${endSentence(label(reply.says, 300))}`,
				'The search needs a Python kernel with the name python3.',
			);
		case 'left':
		case 'lost':
			return new CommandError(
				'connection-lost',
				`The connection to ${JSON.stringify(server)} was lost during the search.`,
				'Try again: a search changes nothing.',
			);
	}
};

/** Runs `files grep`: prints matches as they arrive. Exit code 1 if there are none. */
export const grepFiles = async (
	context: Context,
	server: string,
	pattern: string,
	path: string | undefined,
	{ignoreCase = false, fixed = false, limit: typed}: GrepOptions,
): Promise<number> => {
	if (pattern === '') throw usageError('The pattern is empty.', 'Give the text to search for.');
	const limit =
		numberOf('--limit', typed, {wanted: 'a whole number above 0', pattern: /^\d{1,7}$/, from: 1}) ?? LIMIT;
	const request: SearchRequest = {pattern, path: serverPath(path ?? ''), fixed, ignoreCase};
	const reached = await reachServer(context, server);
	const live = await liveLink(context, reached.service, server);
	const search = live && createLiveSearch(live);
	const ask = search?.ask ?? askService(reached.service.client, server);
	const {signal, stdout, colour} = context;
	const all: Match[] = [];
	let count = 0;
	try {
		for await (const reply of searchFiles(ask, request, {limit, signal})) {
			signal.throwIfAborted();
			if (reply.kind !== 'page') throw await failureOf(server, reached, reply);
			const {matches} = reply.page;
			count += matches.length;
			if (context.json && !context.jsonl) all.push(...matches);
			else if (context.jsonl) await printJson(context, matches);
			else await stdout.write(matches.map(match => matchLine(match, {isTTY: stdout.isTTY, colour})).join(''));
			const error = troubleError(context, server, request, reply.page);
			if (error) throw error;
		}
	} finally {
		await search?.end();
		live?.close();
	}
	if (context.json && !context.jsonl) await printJson(context, all);
	if (count === limit)
		await printNotice(context, `Stopped after ${limit} lines. --limit sets another number.`);
	return count === 0 ? EXIT.service : EXIT.ok;
};
