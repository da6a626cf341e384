import type {Context, Service} from '../context.ts';
import type {NotebookRuns} from './notebook-runs.ts';
import type {Permission} from './permissions.ts';
import * as z from './sdk.ts';
import {isRecord} from '../../text/record.ts';

/** Answer of the user. `mute`: the client cannot ask the user. */
export type Consent = 'yes' | 'no' | 'mute';

/** `yes`: label of the box that the user ticks. */
export type Question = {readonly question: string; readonly yes: string};

export type Call = {
	/**
	 * Context of this call, with its own signal. Notices become part of the result, the user cannot
	 * be prompted, and no server is started implicitly.
	 */
	readonly context: Context;
	readonly service: Service;
	readonly allowed: ReadonlySet<Permission>;
	/** Maximum price per hour of a server. Undefined if the user set none. */
	readonly maxPrice: number | undefined;
	/** Cells of notebooks that run. They outlive this call. */
	readonly runs: NotebookRuns;
	/** Output that commands printed during this call. */
	printed(): string;
	/** Reports progress, which the client may show. */
	tell(what: string): void;
	confirm(question: Question): Promise<Consent>;
};

/** `data`: bytes in base64. */
export type Picture = {readonly type: string; readonly data: string};

/** `facts`: text of this program, kept apart from `text`, which is data from outside. */
export type ToolAnswer = {
	readonly facts?: string;
	/** Each item of a list becomes a block. */
	readonly text?: string | readonly string[];
	readonly pictures?: readonly Picture[];
	/** The whole result as a value. It is also sent as text. */
	readonly value?: Readonly<Record<string, unknown>>;
	readonly isError?: boolean;
};

/** Annotations of a tool in the protocol. */
type Hints = {
	readonly readOnly: boolean;
	/** True if the tool may delete or overwrite data. */
	readonly destructive?: boolean;
	/** True if a repeated call with the same arguments has no further effect. */
	readonly idempotent?: boolean;
};

export type Tool = {
	readonly name: string;
	readonly title: string;
	readonly description: string;
	/**
	 * Permissions of which the client needs one for this tool. If there are none, the tool is
	 * always listed.
	 */
	readonly needs: readonly Permission[];
	readonly hints: Hints;
	readonly input: z.ZodObject;
	readonly output: z.ZodObject | undefined;
	/**
	 * Runs the tool. @throws {z.ZodError} if `given` does not match `input`, {CommandError} if the
	 * tool fails.
	 */
	readonly run: (call: Call, given: unknown) => Promise<ToolAnswer>;
};

/** Removes null arguments, which clients send for optional ones. */
const withoutEmpty = ({shape}: z.ZodObject, given: unknown): unknown =>
	isRecord(given)
		? Object.fromEntries(
				Object.entries(given).filter(
					([name, value]) =>
						value !== null || !Object.hasOwn(shape, name) || !shape[name]?.safeParse(undefined).success,
				),
			)
		: given;

/** Creates a tool. Its function receives the arguments as parsed by the schema. */
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

export const serverName = z.string().min(1).describe('Server name from list_servers');
export const filePath = z.string().describe("Path below the server's root, such as data/a.csv");
