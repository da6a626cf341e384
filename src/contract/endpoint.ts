import type * as z from 'zod';
import {canBeAddressed} from './names.ts';
import {namesOf, pathFault} from './paths.ts';
import {lenient} from './lenient.ts';

/**
 * An endpoint of the service, for the client and the local service. In `path`, `{name}` is a path
 * parameter, and `{path}` spans several segments. `list`: array field whose items are parsed
 * separately, so that an invalid item does not hide the others.
 */
export type Endpoint<
	Body extends z.ZodType | undefined,
	Response extends z.ZodType,
	Item extends z.ZodType | undefined = undefined,
> = {
	readonly method: 'GET' | 'POST' | 'PUT';
	readonly path: string;
	/** Status code of a success, if it is not 200. */
	readonly status?: number;
	readonly body: Body;
	readonly response: Response;
	readonly list?: {
		readonly field: string;
		readonly item: Item;
		/** Schema of the specification, stricter than `item`. */
		readonly asStated: z.ZodType;
	};
};

export type Params = Readonly<Record<string, string>>;

/** Error for a path parameter that cannot be in a URL. Its message is a sentence. */
export class UnsafeParamError extends Error {}

const encodeSegment = (segment: string): string => {
	if (!canBeAddressed(segment))
		throw new UnsafeParamError(`${JSON.stringify(segment)} cannot be part of an address.`);
	return encodeURIComponent(segment);
};

/**
 * Fills the parameters into an endpoint's path. Percent-encodes each segment and removes a leading
 * slash. An empty `{path}` addresses the server's root folder.
 * @throws {UnsafeParamError} if a segment is empty, `.` or `..`.
 */
export const fillPath = (path: string, params: Params): string =>
	path.replace(/^\//, '').replaceAll(/\{(\w+)\}/g, (_, name: string) => {
		const value = params[name] ?? '';
		if (name !== 'path') return encodeSegment(value);
		const fault = pathFault(value);
		if (fault !== undefined) throw new UnsafeParamError(fault);
		return namesOf(value).map(encodeURIComponent).join('/');
	});

/** Reads any or no `status` as `success`, because failures are handled before parsing. */
export const success = {status: lenient(() => 'success' as const)};
