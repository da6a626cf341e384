import type {LiveRecorder, LiveRecording, ResumeInfo} from '../api/client-types.ts';

/** Content of a run log that an ended program has left. */
type LeftCells = {
	readonly cells: readonly {
		readonly number: number;
		readonly source: string;
		readonly kernel: string;
		readonly to: ResumeInfo | 'service' | null;
	}[];
	readonly channels: readonly Pick<LiveRecording, 'session' | 'came' | 'lines'>[];
};

/** Cells that a kernel has got in one session. */
export type SentCells = {
	/** Name of the kernel. */
	readonly kernel: string;
	readonly recording: LiveRecording;
	/** Numbers of the cells in the log. */
	readonly numbers: readonly number[];
};

/**
 * Cells of a leftover log that were sent to a kernel, by session. `log`: the same log, now owned by
 * this program.
 */
export const sentCells = (left: LeftCells, log: {record(cell: number): LiveRecorder}): readonly SentCells[] =>
	left.channels.flatMap(({session, came, lines}) => {
		const cells = left.cells.flatMap(({number, source, kernel, to}) =>
			to === null || to === 'service' || to.session !== session ? [] : [{number, source, name: kernel, to}],
		);
		const [first] = cells;
		if (first === undefined) return [];
		return [
			{
				kernel: first.name,
				numbers: cells.map(({number}) => number),
				recording: {
					kernel: first.to.kernel,
					session,
					came,
					lines,
					cells: cells.map(({number, source, to: {request}}) => ({
						request,
						source,
						record: log.record(number),
					})),
				},
			},
		];
	});
