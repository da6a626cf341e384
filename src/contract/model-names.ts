// Ours, beside the interface, which has no list of models: what the assistant's models are on the service of this machine.
import * as z from 'zod';
import {success, type Endpoint} from './endpoint.ts';

/** A model of the assistant: the last segment of its endpoint, and what people call it. */
export type ModelName = {readonly id: string; readonly name: string};

const modelNames = z.looseObject({
	...success,
	/** Those that a language model answers for; the others are the built-in assistant. */
	models: z.array(z.object({id: z.string(), name: z.string()})),
});

export const listModelNames = {
	method: 'GET',
	path: '../local/models',
	body: undefined,
	response: modelNames,
} as const satisfies Endpoint<undefined, typeof modelNames>;
