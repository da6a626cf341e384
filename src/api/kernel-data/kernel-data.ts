// Requests about the objects that a Python kernel holds, and their replies.
import {createHash} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import * as z from 'zod';
import type {ChartKind} from '../../text/chart/chart.ts';
import {jsonIn} from '../../text/record.ts';
import type {EvaluateHow, Live, LiveSession} from '../client-types.ts';

/** An object: the result of cell `number`, else the variable `name`. */
export type Target = {
	readonly number?: number;
	/** Code of that cell. The kernel checks that its cell had this code. */
	readonly source?: string;
	readonly name?: string;
};

export type DataRequest =
	| {readonly op: 'open'; readonly target: Target; readonly count: number}
	| {
			readonly op: 'page';
			readonly view: number;
			readonly order: number | null;
			readonly from: number;
			readonly count: number;
	  }
	| {
			readonly op: 'arrange';
			readonly view: number;
			readonly sort: {readonly column: number; readonly isDown: boolean} | null;
			readonly words: string;
			/** Number of the running work. Repeat the request with it until the work is done. */
			readonly work: number;
	  }
	| {readonly op: 'facts'; readonly view: number; readonly order: number | null; readonly column: number}
	| {
			readonly op: 'field';
			readonly view: number;
			readonly order: number | null;
			readonly from: number;
			readonly column: number;
	  }
	| {
			readonly op: 'chart';
			readonly view: number;
			readonly order: number | null;
			readonly chart: ChartKind;
			readonly column: number;
			/** Column of the x axis. Null: the number of the row. */
			readonly against: number | null;
	  }
	| {readonly op: 'state' | 'close'; readonly view: number}
	| {readonly op: 'variables'}
	| {readonly op: 'delete'; readonly name: string; readonly mark: string}
	| {readonly op: 'text'; readonly target: Target};

const count = z.int().nonnegative();
const rows = z.array(z.array(z.string()));
const page = z.object({from: count, rows});

/** Number, or the text of an infinite number. */
const number = z.union([z.number(), z.string().transform(text => Number(text.replace('inf', 'Infinity')))]);

const openedTable = z.object({
	kind: z.literal('table'),
	view: count,
	name: z.string().nullable(),
	/** Name of the object's type. */
	type: z.string(),
	rows: count,
	/** Number of columns without the index. `names` may contain fewer. */
	columns: count,
	/** Number of columns at the start that label the rows. */
	index: count,
	names: z.array(z.string()),
	types: z.array(z.string()),
	numbers: z.array(z.boolean()),
	page,
});
export type OpenedTable = z.output<typeof openedTable>;

const facts = z.object({
	kind: z.literal('facts'),
	type: z.enum(['numbers', 'text', 'nothing']),
	count,
	missing: count,
	distinct: count.nullable(),
	min: z.string().nullable(),
	max: z.string().nullable(),
	mean: number.nullable(),
	bars: z.array(z.tuple([z.string(), count])),
	bins: z.object({min: z.number(), max: z.number(), counts: z.array(count)}).nullable(),
});
export type ColumnFacts = z.output<typeof facts>;

const axis = z.object({min: z.number(), max: z.number(), isDates: z.boolean()}).nullable();
const aboutChart = {
	kind: z.literal('chart'),
	missing: count,
	/** Python expressions of the columns. */
	code: z.array(z.string().nullable()),
};
const chart = z.discriminatedUnion('chart', [
	z.object({...aboutChart, chart: z.literal('histogram'), x: axis, counts: z.array(count)}),
	z.object({
		...aboutChart,
		chart: z.literal('bars'),
		bars: z.array(z.tuple([z.string(), count]).transform(([name, times]) => ({name, count: times}))),
		distinct: count.nullable(),
	}),
	z.object({
		...aboutChart,
		chart: z.literal('line'),
		x: axis,
		y: axis,
		count,
		buckets: z.array(z.tuple([count, z.number(), z.number(), z.number(), z.number()])),
	}),
	/** `says`: the reason why there is no chart. */
	z.object({...aboutChart, chart: z.literal('none'), says: z.string()}),
	z.object({...aboutChart, chart: z.literal('scatter'), x: axis, y: axis, count, dots: z.array(count)}),
]);

/** `size`: in bytes, null if unknown. `mark`: identifies the object. */
const variable = z
	.tuple([z.string(), z.string(), z.array(count), count.nullable(), z.string(), z.string()])
	.transform(([name, type, shape, size, value, mark]) => ({name, type, shape, size, value, mark}));
export type Variable = z.output<typeof variable>;

/**
 * `changed`: the name refers to another object, or the object has changed. `gone`: the object was
 * deleted. `lost`: the kernel has no such table, for example after a restart. `none`, `error`:
 * `says` gives the reason, as a sentence.
 */
const reply = z.discriminatedUnion('kind', [
	openedTable,
	page.extend({kind: z.literal('page')}),
	z.object({kind: z.literal('working'), share: z.number()}),
	z.object({kind: z.literal('arranged'), order: count.nullable(), count}),
	facts,
	chart,
	z.object({kind: z.literal('field'), text: z.string()}),
	z.object({kind: z.literal('variables'), total: count, variables: z.array(variable)}),
	z.object({kind: z.literal('text'), type: z.string(), text: z.string(), isPart: z.boolean()}),
	z.object({kind: z.enum(['same', 'changed', 'gone', 'lost', 'done'])}),
	z.object({kind: z.enum(['none', 'error']), says: z.string()}),
]);

/** `left`: the caller stopped waiting. `unknown`: not a Python kernel. */
export type DataReply = z.output<typeof reply> | {readonly kind: 'left' | 'unknown'};

const FILES = ['text', 'frames', 'views', 'facts', 'charts', 'variables', 'reply'];

const readSource = async (): Promise<string> => {
	const texts = FILES.map(async name => readFile(new URL(`./data_${name}.py`, import.meta.url), 'utf8'));
	return (await Promise.all(texts)).join('\n');
};
let source: Promise<string> | null = null;

/**
 * Python expression for a request. It loads its code as a module, which remains in the kernel, but
 * not among the user's variables.
 */
const expressionFor = async (request: DataRequest): Promise<string> => {
	const text = await (source ??= readSource());
	const name = JSON.stringify(`_svc_tui_${createHash('sha256').update(text).digest('hex').slice(0, 12)}`);
	const code = `compile(${JSON.stringify(text)}, "<svc-tui>", "exec")`;
	// The parts can be joined with `or`, because `exec` and `__setitem__` return None.
	const load = `(lambda m: b.exec(b.${code}, m.__dict__) or s.modules.__setitem__(${name}, m))(type(s)(${name}))`;
	return `(lambda b, s: (${name} in s.modules or ${load}, s.modules[${name}].reply(${JSON.stringify(JSON.stringify(request))}))[1])(__import__("builtins"), __import__("sys"))`;
};

/**
 * Sends a request about objects to a kernel. `life`: the kernel process that replied, null if
 * unknown.
 */
export const askData = async (
	live: Pick<Live, 'evaluate'>,
	session: LiveSession,
	request: DataRequest,
	how?: EvaluateHow,
): Promise<{readonly reply: DataReply; readonly life: string | null}> => {
	const expression = await expressionFor(request);
	let found = await live.evaluate(expression, session, how);
	// The evaluation reopens a broken connection. A deletion is not repeated, because it could
	// delete a newer object.
	if (found.end.kind === 'lost' && request.op !== 'delete')
		found = await live.evaluate(expression, session, how);
	const {end, life} = found;
	if (end.kind === 'left' || end.kind === 'lost') return {reply: {kind: end.kind}, life};
	const read = end.kind === 'value' ? reply.safeParse(jsonIn(end.text)).data : undefined;
	return {reply: read ?? {kind: 'unknown'}, life};
};
