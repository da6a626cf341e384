import type {CellOutput} from '../contract/cells.ts';

/** Time in which code must react to an interrupt before its kernel is killed, in ms. */
export const INTERRUPT_LIMIT_MS = 5000;

/** Consequence of losing a kernel, as part of a sentence. */
export const LOST = 'variables are lost, files are kept';

/** Creates an `error` output for a failure that the code did not raise itself. */
export const errorOutput = (ename: string, evalue: string): CellOutput => ({
	output_type: 'error',
	ename,
	evalue,
	traceback: [evalue === '' ? ename : `${ename}: ${evalue}`],
});
