import * as z from 'zod';
import {cellOutput} from '../contract/cells.ts';
import {KINDS} from './permission.ts';

const kind = z.enum(KINDS);
/** ms since the epoch. */
const at = z.number();
const number = z.int();
/** Whole bytes as base64. */
const bytes = z.string();

/** What a write or an edit replaces and puts there. `before` null: the file is new; `folders`: those that are made for it, the outermost first. */
const change = z.object({
	path: z.string(),
	before: bytes.nullable(),
	after: bytes,
	folders: z.array(z.string()).optional(),
});
export type Change = z.infer<typeof change>;

/** All that happens to a task, in order: its journal. From these alone a task is what it is. */
export const workEvent = z.discriminatedUnion('type', [
	z.object({
		type: z.literal('goal'),
		at,
		/** The process that carries it on. */
		owner: z.string(),
		server: z.string(),
		model: z.string(),
		goal: z.string(),
		/** The first message to the model. */
		message: z.string(),
		mark: z.string(),
		limits: z.object({steps: z.number(), seconds: z.number(), tokens: z.number()}),
		grants: z.array(z.object({kind, folder: z.string().nullable()})),
	}),
	/** `complete`: to its last word. */
	z.object({type: z.literal('answer'), at, content: z.string(), complete: z.boolean()}),
	/** No answer came; why, as a sentence. */
	z.object({type: z.literal('no-answer'), at, says: z.string()}),
	/** The person's word on a step; `says` goes to the model with a no. */
	z.object({
		type: z.literal('decide'),
		at,
		number,
		decision: z.enum(['once', 'folder', 'task', 'always', 'no']),
		says: z.string(),
	}),
	/** Written before anything is done. */
	z.object({type: z.literal('begin'), at, number, change: change.nullable()}),
	z.object({
		type: z.literal('end'),
		at,
		number,
		ok: z.boolean(),
		/** False: nothing was changed, as far as a step changes anything. */
		took: z.boolean(),
		head: z.string(),
		text: z.string().nullable(),
		/** What a cell gave, as a notebook has it; absent: too large to keep, or it was no cell. */
		cell: z.object({outputs: z.array(cellOutput), count: z.number().nullable()}).optional(),
	}),
	/** A step that cannot begin, and why. */
	z.object({type: z.literal('cannot'), at, number, head: z.string(), text: z.string().nullable()}),
	/** The person's answer to the model's question. */
	z.object({type: z.literal('reply'), at, text: z.string()}),
	z.object({type: z.literal('stop'), at}),
	/** Its program ended; found by the next one. */
	z.object({type: z.literal('cut'), at}),
	/** A task that was stopped goes on, in this process; what was allowed until then is not, but for `grants`. */
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
