// Extension of the API: turns a folder of the user into a server of the local service.
import * as z from 'zod';
import {success, type Endpoint} from './endpoint.ts';

export const projectRequest = z.object({
	/** Name of the grant file in the service's data folder. The file contains the folder. */
	grant: z.string(),
	/** Engine that may run code in that folder, with the user's consent. */
	engine: z.string().optional(),
});
export type ProjectRequest = z.infer<typeof projectRequest>;

const projectAnswer = z.looseObject({
	...success,
	/** Real path, without symbolic links. */
	folder: z.string(),
	engine: z.string(),
	/** Null until the user has agreed to this engine in that folder. */
	server_name: z.string().nullable(),
});
export type ProjectAnswer = z.infer<typeof projectAnswer>;

export const openProject = {
	method: 'POST',
	path: '../local/project',
	body: projectRequest,
	response: projectAnswer,
} as const satisfies Endpoint<typeof projectRequest, typeof projectAnswer>;
