import type * as z from 'zod';
import type {Params} from '../../contract/endpoint.ts';
import type {LoadKind} from './admission.ts';
import {ServiceFault} from './fault.ts';
import type {Caller} from '../servers.ts';

/** A request that passed the guard. `body` is a JSON object, or undefined where there is none. */
export type GuardedRequest = {
	readonly caller: Caller;
	readonly params: Params;
	/** What follows the question mark, as it came. */
	readonly query: string;
	readonly body: Readonly<Record<string, unknown>> | undefined;
	/** The header If-Match as it came. */
	readonly ifMatch: string | undefined;
	/** What a model thinks may be sent, too. */
	readonly takesThinking: boolean;
	/** Aborted when the client goes away before it has the whole answer. */
	readonly signal: AbortSignal;
};

/** A body in pieces is asked for the next one when the client has taken the last, and for no more when the client goes. */
export type RouteResponse = {
	/** 200 by default. */ readonly status?: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string | AsyncIterable<string | Uint8Array>;
};

/** A method and a path with `{name}` for one segment and `{path}` for all the rest. */
export type RoutePattern = {readonly method: string; readonly path: string};

export type Route = RoutePattern & {
	/** Answers without a key. */ readonly open?: boolean;
	/** Answers to any Host, too. */ readonly probe?: boolean;
	/** What it keeps busy for long. */ readonly work?: LoadKind | undefined;
	answer(asked: GuardedRequest): RouteResponse | Promise<RouteResponse>;
};

export const plainText = {'content-type': 'text/plain; charset=utf-8'};
/** Of a stream: else nginx would keep it until its end. */
export const streamedText = {...plainText, 'x-accel-buffering': 'no'};

const parameter = (segment: string): string | undefined => /^\{(\w+)\}$/.exec(segment)?.[1];

const matchPath = (pattern: readonly string[], segments: readonly string[]): Params | null => {
	const params: Record<string, string> = {};
	for (const [index, expected] of pattern.entries()) {
		const name = parameter(expected);
		const segment = segments[index];
		if (segment === undefined) return null;
		if (name === 'path') return {...params, path: segments.slice(index).join('/')};
		if (name !== undefined) params[name] = segment;
		else if (segment !== expected) return null;
	}
	return pattern.length === segments.length ? params : null;
};

/**
 * Finds the routes of a raw path, one for each method, and its parameters, still percent-encoded. Matched as it came, segment by segment:
 * a URL parser would resolve `..` and `%2e%2e` first and so address another endpoint than the one that was asked for.
 */
export const createMatcher = <R extends RoutePattern>(routes: readonly R[]) => {
	const patterns = [...Map.groupBy(routes, ({path}) => path)].map(([path, found]) => ({
		segments: path.split('/'),
		found,
	}));
	return (rawPath: string): {readonly found: readonly R[]; readonly params: Params} | null => {
		const segments = rawPath.split('/');
		for (const {segments: pattern, found} of patterns) {
			const params = matchPath(pattern, segments);
			if (params) return {found, params};
		}
		return null;
	};
};

type Row = {
	readonly method: 'GET' | 'POST' | 'PUT';
	readonly path: string;
	readonly body: z.ZodType | undefined;
	readonly response?: z.ZodType;
};
type BodyOf<R extends Row> = R['body'] extends z.ZodType ? z.output<R['body']> : undefined;
type AnswerOf<R extends Row> = R['response'] extends z.ZodType ? z.output<R['response']> : RouteResponse;

/** What a handler gets: its body is of the row's shape. */
type Call<R extends Row> = Omit<GuardedRequest, 'body'> & {readonly name: string; readonly body: BodyOf<R>};

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
export const serveEndpoint = <R extends Row>(
	row: R,
	answer: (call: Call<R>) => AnswerOf<R> | Promise<AnswerOf<R>>,
	{
		status = 200,
		defaults,
		etag,
		work,
	}: {
		readonly status?: number;
		readonly work?: LoadKind;
		/** Of fields that a client may leave out. */
		readonly defaults?: (asked: GuardedRequest) => object | Promise<object>;
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
		if (!row.response) return result as RouteResponse;
		const tag = etag?.(result, body);
		const headers = {'content-type': 'application/json', ...(tag !== undefined && {etag: tag})};
		return {status, headers, body: JSON.stringify(result)};
	},
});

/** As {@link serveEndpoint}, for a row of ours beside the interface: its path leads out of /api. */
export const serveExtension = <R extends Row>(
	row: R,
	answer: (call: Call<R>) => AnswerOf<R> | Promise<AnswerOf<R>>,
): Route => ({...serveEndpoint(row, answer), path: row.path.replace(/^\.\.(?=\/)/, '')});
