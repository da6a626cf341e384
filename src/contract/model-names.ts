// Extension of the API, which has no list of models: the assistant's models on the local service.
import * as z from 'zod';
import {success, type Endpoint} from './endpoint.ts';

/** A model of the assistant: the last segment of its endpoint, and its display name. */
export type ModelName = {readonly id: string; readonly name: string};

const modelNames = z.looseObject({
	...success,
	/** Models that a language model answers for. The built-in assistant answers for all others. */
	models: z.array(z.object({id: z.string(), name: z.string()})),
});

export const listModelNames = {
	method: 'GET',
	path: '../local/models',
	body: undefined,
	response: modelNames,
} as const satisfies Endpoint<undefined, typeof modelNames>;
