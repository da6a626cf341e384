import type * as z from 'zod';
import type {Params} from '../../contract/endpoint.ts';
import {pathFromRoot} from '../../contract/paths.ts';
import type {LoadKind} from './admission.ts';
import type {DecodedUpload} from '../../engines/files.ts';
import {ServiceFault} from './fault.ts';
import {bulkTurn} from '../../machine/bulk-turn.ts';
import {jsonPieces} from '../../text/json-pieces.ts';
import type {Caller} from '../servers.ts';

/**
 * Request that was accepted by the guard. `body` is a JSON object, or undefined if there is no
 * body.
 */
export type GuardedRequest = {
	readonly caller: Caller;
	readonly params: Params;
	/** Query string, not decoded. */
	readonly query: string;
	readonly body: Readonly<Record<string, unknown>> | undefined;
	/** Decoded content of a large upload. Undefined if `body` contains the content. */
	readonly decoded: DecodedUpload | undefined;
	readonly ifMatch: string | undefined;
	readonly ifNoneMatch: string | undefined;
	/** True if the client accepts the model's reasoning. */
	readonly takesThinking: boolean;
	/** Aborted if the client disconnects before the response has ended. */
	readonly signal: AbortSignal;
};

/** Response of a route. A streamed body is produced only as fast as the client reads it. */
export type RouteResponse = {
	/** Default: 200. */
	readonly status?: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string | AsyncIterable<string | Uint8Array>;
};

/**
 * Method and path. In the path, `{name}` matches one segment and `{path}` all remaining segments.
 */
export type RoutePattern = {readonly method: string; readonly path: string};

export type Route = RoutePattern & {
	/** True if no key is required. */
	readonly open?: boolean;
	/** True if requests from pages of other origins are accepted. */
	readonly page?: boolean;
	/** True if any Host header is accepted. */
	readonly probe?: boolean;
	/** Resource that the route occupies for a long time. */
	readonly work?: LoadKind | undefined;
	answer(asked: GuardedRequest): RouteResponse | Promise<RouteResponse>;
};

export const plainText = {'content-type': 'text/plain; charset=utf-8'};
/**
 * Headers of a streamed response. Without `x-accel-buffering`, nginx would buffer the whole
 * response.
 */
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
 * Matches the raw path segment by segment, because a URL parser would resolve `..` and `%2e%2e`.
 * Returns a route for each method. The parameters are still percent-encoded.
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
	readonly status?: number;
	readonly body: z.ZodType | undefined;
	readonly response?: z.ZodType;
};
type BodyOf<R extends Row> = R['body'] extends z.ZodType ? z.output<R['body']> : undefined;
type AnswerOf<R extends Row> = R['response'] extends z.ZodType ? z.output<R['response']> : RouteResponse;

/** Argument of a handler. Its body has the type that the contract defines. */
type Call<R extends Row> = Omit<GuardedRequest, 'body'> & {readonly name: string; readonly body: BodyOf<R>};

const describe = (issues: readonly z.core.$ZodIssue[]): string =>
	issues
		.slice(0, 3)
		.map(issue => `${issue.path.join('.') || 'body'}: ${issue.message}`)
		.join('; ');

const parseBody = <Body>(schema: z.ZodType<Body>, body: unknown): Body => {
	const parsed = schema.safeParse(body);
	if (!parsed.success)
		throw new ServiceFault(400, `The request body is invalid: ${describe(parsed.error.issues)}.`);
	return parsed.data;
};

/** Caches the result of `make` for each object, as long as the object exists. */
export const oncePer = <Source extends object, Made>(make: (source: Source) => Made) => {
	const made = new WeakMap<Source, Made>();
	return (source: Source): Made => {
		const known = made.get(source);
		if (known !== undefined) return known;
		const fresh = make(source);
		made.set(source, fresh);
		return fresh;
	};
};

/** JSON of a response that may be large. Yields it in pieces, unless it is small enough for one. */
const piecewise = (result: object): RouteResponse['body'] => {
	const pieces = jsonPieces(result);
	const {value: first = ''} = pieces.next() as IteratorResult<string, undefined>;
	const second = pieces.next();
	if (second.done === true) return first;
	const rest = async function* (): AsyncGenerator<string> {
		yield first;
		yield second.value;
		for (;;) {
			await bulkTurn();
			const next = pieces.next();
			if (next.done === true) return;
			yield next.value;
		}
	};
	return rest();
};

/**
 * Creates the route of an endpoint in the contract. The contract's schema validates the request
 * body. The response is only checked by the compiler.
 */
export const serveEndpoint = <R extends Row>(
	row: R,
	answer: (call: Call<R>) => AnswerOf<R> | Promise<AnswerOf<R>>,
	{
		defaults,
		etag,
		work,
		isShared = false,
		isLarge = false,
	}: {
		readonly work?: LoadKind;
		/**
		 * True if responses with the same content are the same object, so that their text can be
		 * cached.
		 */
		readonly isShared?: boolean;
		/** True if the response may be several megabytes, in which case it is sent in pieces. */
		readonly isLarge?: boolean;
		/** Default values of optional body fields. */
		readonly defaults?: (asked: GuardedRequest) => object | Promise<object>;
		/** Returns the ETag of the content that was returned or saved. */
		readonly etag?: (answered: AnswerOf<R>, body: BodyOf<R>, asked: GuardedRequest) => string | undefined;
	} = {},
): Route => {
	const toText = (result: object): string => JSON.stringify(result);
	const textOf = isShared ? oncePer(toText) : toText;
	return {
		method: row.method,
		path: pathFromRoot(row.path),
		work,
		async answer(asked) {
			const given = row.body && parseBody(row.body, {...(await defaults?.(asked)), ...asked.body});
			const body = given as BodyOf<R>;
			const result = await answer({...asked, name: asked.params['server_name'] ?? '', body});
			if (!row.response) return result as RouteResponse;
			const tag = etag?.(result, body, asked);
			const headers = {'content-type': 'application/json', ...(tag !== undefined && {etag: tag})};
			const text = (isLarge ? piecewise : textOf)(result as object);
			return {status: row.status ?? 200, headers, body: text};
		},
	};
};
