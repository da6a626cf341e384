import type {Context, Service} from '../context.ts';
import type {Permission} from './permissions.ts';
import * as z from './sdk.ts';
import {isRecord} from '../../text/record.ts';

/** What came of asking whoever sits at the client. `mute`: the client cannot ask. */
export type Consent = 'yes' | 'no' | 'mute';

/** `yes`: the words of the box that the user ticks. */
export type Question = {readonly question: string; readonly yes: string};

/** One call of a tool. */
export type Call = {
	/** Of this call: its signal; notes become part of the answer; nobody can be asked, and no server is started for being named. */
	readonly context: Context;
	readonly service: Service;
	readonly allowed: ReadonlySet<Permission>;
	/** Most that a server may cost per hour; undefined: the user has not said. */
	readonly maxPrice: number | undefined;
	/** What a command has printed in this call. */
	printed(): string;
	/** What the client shows while it waits. */
	tell(what: string): void;
	/** Asks the user by the client's own means. */
	confirm(question: Question): Promise<Consent>;
};

export type Picture = {readonly type: string; /** base64 */ readonly data: string};

/** `facts` are our own words and stand apart from `text`, which is data from outside. */
export type ToolAnswer = {
	readonly facts?: string;
	readonly text?: string;
	readonly pictures?: readonly Picture[];
	/** The whole answer as a value; it is sent as text, too. */
	readonly value?: Readonly<Record<string, unknown>>;
	readonly isError?: boolean;
};

/** What the interface's annotations say of a tool. */
type Hints = {
	readonly readOnly: boolean;
	/** It may take away what was there. */
	readonly destructive?: boolean;
	/** Called again with the same arguments it changes nothing more. */
	readonly idempotent?: boolean;
};

export type Tool = {
	readonly name: string;
	readonly title: string;
	readonly description: string;
	/** Any one of these lists it; with none it is always listed. */
	readonly needs: readonly Permission[];
	readonly hints: Hints;
	readonly input: z.ZodObject;
	readonly output: z.ZodObject | undefined;
	/** @throws {z.ZodError} for arguments that are not as `input` says, {CommandError} */
	readonly run: (call: Call, given: unknown) => Promise<ToolAnswer>;
};

/** Clients write `null` for what may be left out. */
const withoutEmpty = ({shape}: z.ZodObject, given: unknown): unknown =>
	isRecord(given)
		? Object.fromEntries(
				Object.entries(given).filter(
					([name, value]) =>
						value !== null || !Object.hasOwn(shape, name) || !shape[name]?.safeParse(undefined).success,
				),
			)
		: given;

/** A tool whose function gets its arguments as its schema reads them. */
export const tool = <Input extends z.ZodObject>(
	row: Omit<Tool, 'input' | 'output' | 'run'> & {
		readonly input: Input;
		readonly output?: z.ZodObject;
		readonly run: (call: Call, given: z.output<Input>) => Promise<ToolAnswer>;
	},
): Tool => ({
	...row,
	output: row.output,
	run: async (call, given) => row.run(call, row.input.parse(withoutEmpty(row.input, given))),
});

/** The argument that names a server. */
export const serverName = z.string().min(1).describe('Name of the server, as list_servers says it');
/** The argument that names a file or folder. */
export const filePath = z.string().describe("Path below the server's root, such as data/a.csv");
