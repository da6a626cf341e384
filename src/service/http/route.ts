import type * as z from 'zod';
import type {Params} from '../../contract/endpoint.ts';
import type {Work} from './admission.ts';
import {ServiceFault} from './fault.ts';
import type {RoutePattern} from './route-pattern.ts';
import type {Caller} from '../local/servers.ts';

/** A request that passed the guard. `body` is a JSON object, or undefined where there is none. */
export type Asked = {
	readonly caller: Caller;
	readonly params: Params;
	readonly body: Readonly<Record<string, unknown>> | undefined;
	/** The header If-Match as it came. */
	readonly ifMatch: string | undefined;
	/** Aborted when the client goes away before it has the whole answer. */
	readonly signal: AbortSignal;
};

/** What a handler gets: its body is of the row's shape. */
export type Call<Body> = Omit<Asked, 'body'> & {readonly name: string; readonly body: Body};

export type Route = RoutePattern & {answer(asked: Asked): Promise<Response>};

type Row = {
	readonly method: 'GET' | 'POST' | 'PUT';
	readonly path: string;
	readonly body: z.ZodType | undefined;
	readonly response?: z.ZodType;
};
type BodyOf<R extends Row> = R['body'] extends z.ZodType ? z.output<R['body']> : undefined;
type AnswerOf<R extends Row> = R['response'] extends z.ZodType ? z.output<R['response']> : Response;

const describe = (issues: readonly z.core.$ZodIssue[]): string =>
	issues
		.slice(0, 3)
		.map(issue => `${issue.path.join('.') || 'body'}: ${issue.message}`)
		.join('; ');

const parseBody = <Body>(schema: z.ZodType<Body>, body: unknown): Body => {
	const parsed = schema.safeParse(body);
	if (!parsed.success)
		throw new ServiceFault(400, `The body is not what this call takes: ${describe(parsed.error.issues)}.`);
	return parsed.data;
};

/** Serves a row of the contract: the body is checked by the row's schema, and the compiler checks the answer by it. */
export const serveRow = <R extends Row>(
	row: R,
	answer: (call: Call<BodyOf<R>>) => AnswerOf<R> | Promise<AnswerOf<R>>,
	{
		status = 200,
		defaults,
		etag,
		work,
	}: {
		readonly status?: number;
		readonly work?: Work;
		/** Of fields that a client may leave out. */
		readonly defaults?: (asked: Asked) => object | Promise<object>;
		/** Tag of the content that was answered or stored. */
		readonly etag?: (answered: AnswerOf<R>, body: BodyOf<R>) => string | undefined;
	} = {},
): Route => ({
	method: row.method,
	path: `/api${row.path}`,
	work,
	async answer(asked) {
		const given = row.body && parseBody(row.body, {...(await defaults?.(asked)), ...asked.body});
		const body = given as BodyOf<R>;
		const result = await answer({...asked, name: asked.params['server_name'] ?? '', body});
		const tag = etag?.(result, body);
		return result instanceof Response
			? result
			: Response.json(result, {status, headers: tag === undefined ? {} : {etag: tag}});
	},
});
