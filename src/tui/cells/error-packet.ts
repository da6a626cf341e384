/** Source lines around a position that a traceback names. `first` counts from 1. */
export type FramePacket = {
	readonly path: string;
	readonly line: number;
	readonly first: number;
	readonly text: string;
};

/** Everything that is sent to have an error explained. */
export type ErrorPacket = {
	/** Execution count of the cell, if it has one. */
	readonly cell: number | null;
	/** For example `KeyError: 'b'`. */
	readonly error: string;
	readonly source: string;
	/** Text without colours. */
	readonly traceback: string;
	readonly frames: readonly FramePacket[];
};
