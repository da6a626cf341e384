import {askService, createLiveSearch, searchFiles, type SearchReply} from '../api/search/search-files.ts';
import {MOST_CONTEXT, type Match, type SearchPage, type SearchRequest} from '../api/search/search-page.ts';
import {label} from '../text/safe.ts';
import {endSentence} from '../text/sentence.ts';
import {CommandError, EXIT, usageError} from './command-error.ts';
import type {Context} from './context.ts';
import {serverPath} from './files.ts';
import {liveLink, reachServer, type OnServer} from './on-server.ts';
import {numberOf} from './option-values.ts';
import {printJson, printNotice} from './print.ts';

type GrepOptions = {
	readonly ignoreCase?: boolean;
	readonly fixed?: boolean;
	readonly context?: string;
	readonly limit?: string;
};

const LIMIT = 1000;

/** Text in a colour. `code`: SGR code, as in GNU grep. */
const coloured = (code: string, text: string): string => `\u001B[${code}m${text}\u001B[m`;

type Shown = {readonly isTTY: boolean; readonly colour: boolean};

/**
 * A line as grep prints it. `mark`: `-` for a line beside a match. In a pipe, the line is
 * unchanged.
 */
const printed = (
	{path, line, text, start, end}: Pick<Match, 'path' | 'line' | 'text' | 'start' | 'end'>,
	mark: ':' | '-',
	{isTTY, colour}: Shown,
): string => {
	if (!isTTY) return `${path}${mark}${line}${mark}${text}\n`;
	const characters = Array.from(text);
	const part = (from: number, to: number): string => label(characters.slice(from, to).join(''), 1000);
	if (!colour) return `${label(path, 1000)}${mark}${line}${mark}${part(0, characters.length)}\n`;
	const between = coloured('36', mark);
	const match = start === end ? '' : coloured('1;31', part(start, end));
	return `${coloured('35', label(path, 1000))}${between}${coloured('32', String(line))}${between}${part(0, start)}${match}${part(end, characters.length)}\n`;
};

/**
 * Prints matches with the lines around them. Prints each line once, and `--` where lines are
 * missing in between.
 */
export const matchPrinter = (
	context: number,
	how: Shown,
): {readonly add: (match: Match) => string; readonly end: () => string} => {
	/**
	 * Latest match, whose following lines are not printed yet, because the next match may be one of
	 * them.
	 */
	let held: Match | null = null;
	const beside = ({path}: Match, text: string, line: number): string =>
		printed({path, line, text, start: 0, end: 0}, '-', how);
	const heldUntil = (line: number): string => {
		if (held === null) return '';
		const match = held;
		return match.after
			.filter((_, at) => match.line + 1 + at < line)
			.map((text, at) => beside(match, text, match.line + 1 + at))
			.join('');
	};
	return {
		add(match) {
			const isSame = held?.path === match.path;
			const rest = heldUntil(isSame ? match.line : Infinity);
			const last = held === null ? 0 : held.line + held.after.length;
			const first = match.line - match.before.length;
			const from = isSame ? Math.max(first, Math.min(last + 1, match.line)) : first;
			const gap = context > 0 && held !== null && (!isSame || from > last + 1) ? '--\n' : '';
			const before = match.before
				.slice(from - first)
				.map((text, at) => beside(match, text, from + at))
				.join('');
			held = match;
			return `${rest}${gap}${before}${printed(match, ':', how)}`;
		},
		end: () => heldUntil(Infinity),
	};
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
	{ignoreCase = false, fixed = false, context: beside, limit: typed}: GrepOptions,
): Promise<number> => {
	if (pattern === '') throw usageError('The pattern is empty.', 'Give the text to search for.');
	const limit =
		numberOf('--limit', typed, {wanted: 'a whole number above 0', pattern: /^\d{1,7}$/, from: 1}) ?? LIMIT;
	const lines =
		numberOf('--context', beside, {
			wanted: `a number of lines up to ${MOST_CONTEXT}`,
			pattern: /^\d{1,3}$/,
			to: MOST_CONTEXT,
		}) ?? 0;
	const request: SearchRequest = {pattern, path: serverPath(path ?? ''), fixed, ignoreCase, context: lines};
	const reached = await reachServer(context, server);
	const live = await liveLink(context, reached.service, server);
	const search = live && createLiveSearch(live);
	const ask = search?.ask ?? askService(reached.service.client, server);
	const {signal, stdout, colour} = context;
	const printer = matchPrinter(lines, {isTTY: stdout.isTTY, colour});
	const isText = !context.json && !context.jsonl;
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
			else await stdout.write(matches.map(match => printer.add(match)).join(''));
			const error = troubleError(context, server, request, reply.page);
			if (error) throw error;
		}
		if (isText) await stdout.write(printer.end());
	} finally {
		await search?.end();
		live?.close();
	}
	if (context.json && !context.jsonl) await printJson(context, all);
	if (count === limit)
		await printNotice(context, `Stopped after ${limit} lines. --limit sets another number.`);
	return count === 0 ? EXIT.service : EXIT.ok;
};
