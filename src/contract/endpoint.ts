import type * as z from 'zod';
import {canBeAddressed} from './names.ts';
import {namesOf, pathFault} from './paths.ts';
import {lenient} from './lenient.ts';

/**
 * One row of the service's interface. Client and local service both derive from it.
 * `path` holds `{name}` for a path parameter; `{path}` spans several segments.
 * `list` names the array field whose items are parsed one by one, so that one bad item never hides the others.
 */
export type Endpoint<
	Body extends z.ZodType | undefined,
	Response extends z.ZodType,
	Item extends z.ZodType | undefined = undefined,
> = {
	readonly method: 'GET' | 'POST' | 'PUT';
	readonly path: string;
	readonly body: Body;
	readonly response: Response;
	readonly list?: {
		readonly field: string;
		readonly item: Item;
		/** The item as the interface states it, where `item` takes more. */ readonly asStated: z.ZodType;
	};
};

export type Params = Readonly<Record<string, string>>;

/** A path parameter that cannot be put into a URL without addressing something else; its message is a sentence. */
export class UnsafeParamError extends Error {}

const encodeSegment = (segment: string): string => {
	if (!canBeAddressed(segment))
		throw new UnsafeParamError(`${JSON.stringify(segment)} cannot be a name in an address.`);
	return encodeURIComponent(segment);
};

/**
 * Fills a row's path: every segment percent-encoded, no leading slash.
 * An empty `{path}` addresses the server's root folder.
 * @throws {UnsafeParamError} for an empty, `.` or `..` segment.
 */
export const fillPath = (path: string, params: Params): string =>
	path.replace(/^\//, '').replaceAll(/\{(\w+)\}/g, (_, name: string) => {
		const value = params[name] ?? '';
		if (name !== 'path') return encodeSegment(value);
		const fault = pathFault(value);
		if (fault !== undefined) throw new UnsafeParamError(fault);
		return namesOf(value).map(encodeURIComponent).join('/');
	});

/** `status` is `success` in every answer that the interface shows; one that leaves it out is one too. Another status is found before this is read. */
export const success = {status: lenient(() => 'success' as const)};
