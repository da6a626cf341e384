import * as z from 'zod';
import type {CellOutput} from '../../contract/cells.ts';
import type {LastError} from '../assistant/reference.ts';

const errorOutput = z.object({
	output_type: z.literal('error'),
	ename: z.string(),
	evalue: z.string(),
	traceback: z.array(z.string()),
});

/** What an executed cell raised, for the assistant; undefined when it raised nothing. */
export const lastErrorOf = (outputs: readonly CellOutput[], source: string): LastError | undefined => {
	const found = outputs.findLast(output => output.output_type === 'error');
	const parsed = errorOutput.safeParse(found);
	if (!parsed.success) return undefined;
	const {ename, evalue, traceback} = parsed.data;
	return {ename, evalue, traceback, source};
};
