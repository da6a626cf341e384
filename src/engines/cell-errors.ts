import type {CellOutput} from '../contract/cells.ts';

/** Milliseconds that code may take to heed an interrupt before its kernel is ended. */
export const INTERRUPT_LIMIT_MS = 5000;

/** What became of the session's names, and of its files. */
export const LOST = 'its names are lost, files are kept';

/** An `error` output of ours: nothing that the code raised. */
export const errorOutput = (ename: string, evalue: string): CellOutput => ({
	output_type: 'error',
	ename,
	evalue,
	traceback: [evalue === '' ? ename : `${ename}: ${evalue}`],
});
