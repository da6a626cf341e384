import * as z from 'zod';
import {success, type Endpoint} from './endpoint.ts';

/**
 * A file entry (interface 2.4), which is Jupyter's contents model plus `serverPath`.
 * `content`: text, base64 or null; an array of entries for `type: directory`; an object for `type: notebook`.
 * `size`: bytes or characters (not stated), null for a folder. Times: ISO 8601 UTC with microseconds.
 */
export const fileEntry = z.looseObject({
	name: z.string(),
	path: z.string(),
	serverPath: z.string().nullish(),
	type: z.string(),
	format: z.string().nullish(),
	content: z.union([z.string(), z.null(), z.array(z.unknown()), z.looseObject({})]).optional(),
	mimetype: z.string().nullish(),
	size: z.number().nullish(),
	created: z.string().nullish(),
	last_modified: z.string().nullish(),
	writable: z.boolean().nullish(),
});
export type FileEntry = z.infer<typeof fileEntry>;

/** `type: directory` makes a folder on services that take it; the interface shows `file` only. */
export const uploadRequest = z.object({
	content: z.string().nullish(),
	format: z.enum(['text', 'base64', 'json']).nullish(),
	type: z.enum(['file', 'directory', 'notebook']),
});
export type UploadRequest = z.infer<typeof uploadRequest>;

const fileAnswer = z.looseObject({...success, content: fileEntry});

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
	response: fileAnswer,
} as const satisfies Endpoint<typeof uploadRequest, typeof fileAnswer>;
