import * as z from 'zod';
import {cellOutput} from '../contract/cells.ts';
import {KINDS} from './permission.ts';

const kind = z.enum(KINDS);
/** In ms since the epoch. */
const at = z.number();
const number = z.int();
/** Whole bytes as base64. */
const bytes = z.string();

/** `before`: null for a new file. `folders`: folders created for the file, the outermost first. */
const change = z.object({
	path: z.string(),
	before: bytes.nullable(),
	after: bytes,
	folders: z.array(z.string()).optional(),
});
export type Change = z.infer<typeof change>;

/** All events of a task in order: its journal, which fully determines the task's state. */
export const workEvent = z.discriminatedUnion('type', [
	z.object({
		type: z.literal('goal'),
		at,
		/** Process that runs the task. */
		owner: z.string(),
		server: z.string(),
		model: z.string(),
		goal: z.string(),
		message: z.string(),
		mark: z.string(),
		limits: z.object({steps: z.number(), seconds: z.number(), tokens: z.number()}),
		grants: z.array(z.object({kind, folder: z.string().nullable()})),
	}),
	/** `complete`: false if the answer was cut off. */
	z.object({type: z.literal('answer'), at, content: z.string(), complete: z.boolean()}),
	/** The model gave no answer. `says`: reason, as a sentence. */
	z.object({type: z.literal('no-answer'), at, says: z.string()}),
	/** The user's decision on a step. `says`: text for the model, sent if the decision is `no`. */
	z.object({
		type: z.literal('decide'),
		at,
		number,
		decision: z.enum(['once', 'folder', 'task', 'always', 'no']),
		says: z.string(),
	}),
	/** Written before the step takes effect. */
	z.object({type: z.literal('begin'), at, number, change: change.nullable()}),
	z.object({
		type: z.literal('end'),
		at,
		number,
		ok: z.boolean(),
		/** True if the step changed a file, or may have done so. */
		took: z.boolean(),
		head: z.string(),
		text: z.string().nullable(),
		/**
		 * Outputs of a cell in the notebook format. Absent if they are too large, or if the step
		 * ran no cell.
		 */
		cell: z.object({outputs: z.array(cellOutput), count: z.number().nullable()}).optional(),
	}),
	/** The step cannot start. `head` and `text` give the reason. */
	z.object({type: z.literal('cannot'), at, number, head: z.string(), text: z.string().nullable()}),
	/** The user's answer to the model's question. */
	z.object({type: z.literal('reply'), at, text: z.string()}),
	z.object({type: z.literal('stop'), at}),
	/** The program ended before its task did. The next program writes this event. */
	z.object({type: z.literal('cut'), at}),
	/** A stopped task continues in this process, with the permissions in `grants` only. */
	z.object({
		type: z.literal('go-on'),
		at,
		owner: z.string().optional(),
		grants: z.array(z.object({kind, folder: z.string().nullable()})).optional(),
	}),
	z.object({type: z.literal('undone'), at, number}),
]);
export type WorkEvent = z.infer<typeof workEvent>;
export type EventOf<Type extends WorkEvent['type']> = Extract<WorkEvent, {readonly type: Type}>;
