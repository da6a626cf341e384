// Format of a run log: a line of JSON per event, or `CHANNEL MESSAGE` for a message of a kernel. A
// line without its line break is ignored, so a truncated log still contains all earlier events.
import * as z from 'zod';
import {jsonIn} from '../text/record.ts';

/**
 * Location of a cell. `session`, `id`: in the journal of the REPL. `cell`: nbformat id in a
 * notebook, null if the notebook has no ids.
 */
const place = z.union([
	z.object({session: z.string(), id: z.int()}),
	z.object({cell: z.string().nullable(), index: z.int()}),
]);
/**
 * Run from which a command has detached. The id of the run is also the id of its Jupyter session.
 */
const detached = z.object({
	kind: z.literal('detached'),
	id: z.string(),
	/** Name of the local file. */
	name: z.string(),
	/** Text of the notebook with its parameters. Null for a script, and after the end. */
	notebook: z.string().nullable(),
	/** Absolute path for the notebook with its outputs. */
	output: z.string().nullable(),
	allowErrors: z.boolean(),
	/**
	 * `at`: in ms since the epoch. `exit`: exit code of the command, null if the kernel no longer
	 * existed.
	 */
	ended: z.object({at: z.number(), exit: z.int().nullable()}).nullable(),
});
const document = z.union([
	z.object({kind: z.literal('repl')}),
	z.object({kind: z.literal('notebook'), path: z.string()}),
	detached,
]);
/** Header of a log. The last one applies, because a document may be moved. */
const header = z.object({head: z.object({server: z.string(), document})});
/** A cell that the user wants to run. `kernel`: a name. `at`: in ms since the epoch. */
const wanted = z.object({cell: z.int(), place, source: z.string(), kernel: z.string(), at: z.number()});
/**
 * Written before a cell is sent, so the cell may or may not have run. `to`: null if it is sent
 * through the service.
 */
const sent = z.object({
	sent: z.int(),
	to: z.object({kernel: z.string(), session: z.string(), request: z.string()}).nullable(),
});
/** Written once the outputs are stored elsewhere. */
const landed = z.object({landed: z.array(z.int())});
const channel = z.object({channel: z.int(), session: z.string()});
/** Number of the last message that was removed from the log before the next line. */
const came = z.object({came: z.int(), of: z.int()});

export type RunPlace = z.infer<typeof place>;
export type RunDocument = z.infer<typeof document>;
export type DetachedDocument = z.infer<typeof detached>;
type Wanted = z.infer<typeof wanted>;
export type Sent = NonNullable<z.infer<typeof sent>['to']>;

/**
 * Cell whose outputs are stored nowhere else. `to`: null if the cell was never sent, `service` if
 * its messages are not recorded.
 */
export type LeftCell = Omit<Wanted, 'cell'> & {readonly number: number; readonly to: Sent | 'service' | null};
/**
 * Messages of a kernel in one Jupyter session, starting with the first message of a {@link
 * LeftCell}.
 */
export type LeftChannel = {
	readonly session: string;
	readonly came: number;
	readonly lines: readonly string[];
};
export type LoggedRun = {
	readonly server: string;
	readonly document: RunDocument;
	/** Cells whose outputs are stored nowhere else, in the order in which the user sent them. */
	readonly cells: readonly LeftCell[];
	readonly channels: readonly LeftChannel[];
	/** Highest number of a cell. */
	readonly last: number;
};

export type RunLine =
	| z.infer<typeof header>
	| Wanted
	| z.infer<typeof sent>
	| z.infer<typeof landed>
	| z.infer<typeof channel>
	| z.infer<typeof came>;

export const runLine = (line: RunLine): string => `${JSON.stringify(line)}\n`;
export const messageLine = (of: number, line: string): string => `${of} ${line}\n`;

/** Number of a message, from its line. 0 for a line without a message. */
const numberOf = (line: string): number => Number(/^\d+(?= )/.exec(line)?.[0] ?? 0);

/**
 * Removes the messages of landed cells. Because a kernel runs its cells in order, these messages
 * come before the first message of any other cell.
 */
const withoutLanded = (
	{session, came: before, lines}: LeftChannel,
	requests: readonly string[],
): LeftChannel => {
	const first = lines.findIndex(line => requests.some(request => line.includes(request)));
	const from = first === -1 ? lines.length : first;
	const came = lines.slice(0, from).reduce((most, line) => Math.max(most, numberOf(line)), before);
	return {session, came, lines: lines.slice(from)};
};

const MESSAGE = /^(\d{1,6}) ([^]*)$/;

/** Content of a log. Null if it has no complete header. */
export const readRunLog = (text: string): LoggedRun | null => {
	const lines = text.split('\n').slice(0, -1);
	let head: z.infer<typeof header>['head'] | null = null;
	let last = 0;
	const cells = new Map<number, LeftCell>();
	const channels = new Map<number, {readonly session: string; came: number; lines: string[]}>();
	for (const line of lines) {
		const [, of, message] = MESSAGE.exec(line) ?? [];
		if (message !== undefined) {
			channels.get(Number(of))?.lines.push(message);
			continue;
		}
		const value = jsonIn(line);
		const parsed = z.union([header, wanted, sent, landed, channel, came]).safeParse(value).data;
		if (parsed === undefined) continue;
		if ('head' in parsed) ({head} = parsed);
		else if ('cell' in parsed) {
			const {cell: number, ...rest} = parsed;
			cells.set(number, {...rest, number, to: null});
			last = Math.max(last, number);
		} else if ('sent' in parsed) {
			const cell = cells.get(parsed.sent);
			if (cell !== undefined) cells.set(parsed.sent, {...cell, to: parsed.to ?? 'service'});
		} else if ('landed' in parsed) for (const number of parsed.landed) cells.delete(number);
		else if ('channel' in parsed) channels.set(parsed.channel, {session: parsed.session, came: 0, lines: []});
		else {
			const known = channels.get(parsed.of);
			if (known !== undefined) known.came = parsed.came;
		}
	}
	const left = [...cells.values()];
	const requests = left.flatMap(({to}) => (to === null || to === 'service' ? [] : [to.request]));
	return (
		head && {
			...head,
			last,
			cells: left,
			channels: [...channels.values()].map(each => withoutLanded(each, requests)),
		}
	);
};

/** The same log without messages of landed cells. */
export const shortenedLog = (run: LoggedRun): string => {
	const cellLines = run.cells.map(({number, to, ...cell}) => {
		const wantedLine = runLine({cell: number, ...cell});
		return to === null ? wantedLine : wantedLine + runLine({sent: number, to: to === 'service' ? null : to});
	});
	const channelLines = run.channels.map(({session, came: number, lines}, index) =>
		[
			runLine({channel: index + 1, session}),
			runLine({came: number, of: index + 1}),
			...lines.map(line => messageLine(index + 1, line)),
		].join(''),
	);
	return [runLine({head: {server: run.server, document: run.document}}), ...cellLines, ...channelLines].join(
		'',
	);
};
