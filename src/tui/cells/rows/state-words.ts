import type {CellState} from '../cell.ts';

/**
 * Text about the state of a cell: on the cell's row, where `null` shows nothing, and at the end of
 * a sentence that starts with the cell's number.
 */
export const CELL_STATE_WORDS: Readonly<
	Record<CellState, {readonly row: string | null; readonly sentence: string}>
> = {
	queued: {row: 'waiting for the previous cell', sentence: 'waits'},
	kernel: {row: 'waiting in the kernel', sentence: 'waits in the kernel'},
	running: {row: null, sentence: 'runs'},
	done: {row: null, sentence: 'is done'},
	failed: {row: null, sentence: 'failed'},
	detached: {
		row: 'no longer waited for; a late result still appears here',
		sentence: 'is running in the background',
	},
	interrupted: {row: 'interrupted', sentence: 'was interrupted'},
	'gave-up': {
		row: 'abandoned; the server may still be running it',
		sentence: 'was abandoned; the server may still be running it',
	},
	skipped: {row: 'was not run', sentence: 'was not run'},
	unknown: {row: 'the program ended before the result arrived', sentence: 'ended; its result was not seen'},
	unanswered: {row: 'the program ended while it waited for your input', sentence: 'was not answered'},
};
