import * as z from 'zod';
import {success, type Endpoint} from './endpoint.ts';

/** One output of a cell. The interface shows `stream`; the other kinds are nbformat 4's. */
export const cellOutput = z.looseObject({output_type: z.string()});
export type CellOutput = z.infer<typeof cellOutput>;

/** The executed cell (interface 2.5). */
export const executedCell = z.looseObject({
	cell_type: z.string(),
	execution_count: z.int().nullable(),
	metadata: z.looseObject({}),
	source: z.string(),
	outputs: z.array(cellOutput),
});
export type ExecutedCell = z.infer<typeof executedCell>;

export const runRequest = z.object({code: z.string(), kernel_name: z.string()});
export type RunRequest = z.infer<typeof runRequest>;

const runAnswer = z.looseObject({...success, content: executedCell});

export const runCode = {
	method: 'POST',
	path: '/servers/{server_name}/run-code',
	body: runRequest,
	response: runAnswer,
} as const satisfies Endpoint<typeof runRequest, typeof runAnswer>;
