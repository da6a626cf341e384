// Ours, beside the interface: a folder of the user's own becomes a server of the service that their programs start by themselves.
import * as z from 'zod';
import {success, type Endpoint} from './endpoint.ts';

export const projectRequest = z.object({
	/** Names the file in the service's own folder that says which folder is meant: no folder comes with the request. */
	grant: z.string(),
	/** What the user has agreed to run code in that folder with. */
	engine: z.string().optional(),
});
export type ProjectRequest = z.infer<typeof projectRequest>;

const projectAnswer = z.looseObject({
	...success,
	/** Without links. */
	folder: z.string(),
	engine: z.string(),
	/** Null as long as the user has not agreed to this engine there. */
	server_name: z.string().nullable(),
});
export type ProjectAnswer = z.infer<typeof projectAnswer>;

export const openProject = {
	method: 'POST',
	path: '../local/project',
	body: projectRequest,
	response: projectAnswer,
} as const satisfies Endpoint<typeof projectRequest, typeof projectAnswer>;
