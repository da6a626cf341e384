import * as z from 'zod';
import {nameOf} from './paths.ts';
import {success, type Endpoint} from './endpoint.ts';
import {lenientAmount, lenientOptional, lenientText} from './lenient.ts';
import {isRecord} from '../text/record.ts';

/**
 * Fills in a missing name or path from the other. Without a type, an entry that contains entries is
 * a folder.
 */
const named = (item: Record<string, unknown>): Record<string, unknown> => {
	const {name, path} = item;
	const last = typeof path === 'string' ? nameOf(path) : undefined;
	return {
		...item,
		name: name ?? last,
		path: path ?? name,
		type: item['type'] ?? (Array.isArray(item['content']) ? 'directory' : 'file'),
	};
};

/**
 * A file or folder: Jupyter's contents model plus `serverPath`. `content`: text, base64 or null. An
 * array of entries if `type` is `directory`, an object if it is `notebook`. `size`: in bytes or
 * characters (not specified), null for a folder. Times: ISO 8601 in UTC with microseconds.
 */
export const fileEntry = z.preprocess(
	item => (isRecord(item) ? named(item) : item),
	z.looseObject({
		name: lenientText,
		path: lenientText,
		serverPath: lenientOptional,
		type: lenientText,
		format: lenientOptional,
		content: z.union([z.string(), z.null(), z.array(z.unknown()), z.looseObject({})]).optional(),
		mimetype: lenientOptional,
		size: lenientAmount.optional(),
		created: lenientOptional,
		last_modified: lenientOptional,
		writable: z
			.unknown()
			.transform(value => (typeof value === 'boolean' ? value : null))
			.optional(),
	}),
);
export type FileEntry = z.infer<typeof fileEntry>;

/**
 * `type`: `directory` creates a folder, if the service supports that. The specification shows only
 * `file`.
 */
export const uploadRequest = z.object({
	content: z.string().nullish(),
	format: z.enum(['text', 'base64', 'json']).nullish(),
	type: z.enum(['file', 'directory', 'notebook']),
});
export type UploadRequest = z.infer<typeof uploadRequest>;

const fileAnswer = z.looseObject({...success, content: fileEntry});
// A response without an entry is accepted, because the service has saved the file all the same.
const savedAnswer = z.looseObject({
	...success,
	content: z.preprocess(entry => (isRecord(entry) ? entry : {}), fileEntry),
});

export const getFile = {
	method: 'GET',
	path: '/servers/{server_name}/files/{path}',
	body: undefined,
	response: fileAnswer,
} as const satisfies Endpoint<undefined, typeof fileAnswer>;

export const putFile = {
	method: 'PUT',
	path: '/servers/{server_name}/files/{path}',
	body: uploadRequest,
	response: savedAnswer,
} as const satisfies Endpoint<typeof uploadRequest, typeof savedAnswer>;
