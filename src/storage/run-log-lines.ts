// Format of a run log: a line of JSON per event, or `CHANNEL MESSAGE` for what a kernel sent. A
// line counts only with its line break, so a truncated log reports what had happened before.
import * as z from 'zod';
import {jsonIn} from '../text/record.ts';

/** `session`: of the REPL's journal. `cell`: nbformat id, null if the notebook has none. */
const place = z.union([
	z.object({session: z.string(), id: z.int()}),
	z.object({cell: z.string().nullable(), index: z.int()}),
]);
/** Run that a command has left to the kernel. Its id is also that of its Jupyter session. */
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
	/** In ms since the epoch. `exit`: code of the command, null if the kernel was gone. */
	ended: z.object({at: z.number(), exit: z.int().nullable()}).nullable(),
});
const document = z.union([
	z.object({kind: z.literal('repl')}),
	z.object({kind: z.literal('notebook'), path: z.string()}),
	detached,
]);
/** Documents may move: the last header counts. */
const header = z.object({head: z.object({server: z.string(), document})});
/** A cell that the user wants to run. `kernel`: a name. `at`: in ms since the epoch. */
const wanted = z.object({cell: z.int(), place, source: z.string(), kernel: z.string(), at: z.number()});
/** Written before a cell is sent, so the cell may have run. Null: sent through the service. */
const sent = z.object({
	sent: z.int(),
	to: z.object({kernel: z.string(), session: z.string(), request: z.string()}).nullable(),
});
/** Written once the outputs are stored elsewhere. */
const landed = z.object({landed: z.array(z.int())});
const channel = z.object({channel: z.int(), session: z.string()});
/** Number of the last message that was left out before the next one. */
const came = z.object({came: z.int(), of: z.int()});

export type RunPlace = z.infer<typeof place>;
export type RunDocument = z.infer<typeof document>;
export type DetachedDocument = z.infer<typeof detached>;
type Wanted = z.infer<typeof wanted>;
export type Sent = NonNullable<z.infer<typeof sent>['to']>;

/** `to`: null if the cell was never sent, `service` if its messages are not recorded. */
export type LeftCell = Omit<Wanted, 'cell'> & {readonly number: number; readonly to: Sent | 'service' | null};
/** Messages of a kernel to one Jupyter session, from the first one of a left cell. */
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
 * Kernels run cells in order, so messages of landed cells come before the first one of a cell that
 * is left.
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
