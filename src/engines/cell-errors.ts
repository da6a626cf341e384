import type {CellOutput} from '../contract/cells.ts';

/** Time that code has to react to an interrupt before its kernel is killed, in ms. */
export const INTERRUPT_LIMIT_MS = 5000;

/** Effect of a lost kernel, as a part of a sentence. */
export const LOST = 'variables are lost, files are kept';

/** An `error` output of the service, which the code did not raise. */
export const errorOutput = (ename: string, evalue: string): CellOutput => ({
	output_type: 'error',
	ename,
	evalue,
	traceback: [evalue === '' ? ename : `${ename}: ${evalue}`],
});
