// Extension of the API: the assistant's models on the local service. The API itself cannot list
// models.
import * as z from 'zod';
import {success, type Endpoint} from './endpoint.ts';

/** A model of the assistant. `id`: last segment of its endpoint. `name`: for display. */
export type ModelName = {readonly id: string; readonly name: string};

const modelNames = z.looseObject({
	...success,
	/** Models with a language model behind them. For all others, the built-in assistant answers. */
	models: z.array(z.object({id: z.string(), name: z.string()})),
});

export const listModelNames = {
	method: 'GET',
	path: '../local/models',
	body: undefined,
	response: modelNames,
} as const satisfies Endpoint<undefined, typeof modelNames>;
