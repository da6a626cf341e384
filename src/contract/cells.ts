import * as z from 'zod';
import {success, type Endpoint} from './endpoint.ts';
import {lenient, lenientCount, lenientLines, lenientObject} from './lenient.ts';
import {isRecord} from '../text/record.ts';

/**
 * Output of a cell. The specification shows only `stream`; the other kinds are those of nbformat 4.
 */
export const cellOutput = z.preprocess(
	output => {
		// An output of an unknown form is shown as text, so that no output is lost.
		if (!isRecord(output))
			return {
				output_type: 'stream',
				name: 'stdout',
				text: typeof output === 'string' ? output : `${JSON.stringify(output) ?? ''}\n`,
			};
		const type =
			output['output_type'] ??
			('ename' in output
				? 'error'
				: 'data' in output
					? 'display_data'
					: 'text' in output
						? 'stream'
						: undefined);
		if (typeof type !== 'string')
			return {output_type: 'stream', name: 'stdout', text: `${JSON.stringify(output)}\n`};
		return {
			...output,
			output_type: type,
			...(type === 'stream' && {
				text: lenientLines.parse(output['text']),
				name: typeof output['name'] === 'string' ? output['name'] : 'stdout',
			}),
		};
	},
	z.looseObject({output_type: z.string()}),
);
export type CellOutput = z.infer<typeof cellOutput>;

export const executedCell = z.looseObject({
	cell_type: lenient(type => (typeof type === 'string' && type !== '' ? type : 'code')),
	execution_count: lenientCount,
	metadata: lenientObject,
	source: lenientLines,
	outputs: lenient((outputs): CellOutput[] =>
		(Array.isArray(outputs) ? outputs : outputs === null || outputs === undefined ? [] : [outputs]).map(
			output => cellOutput.parse(output),
		),
	),
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
