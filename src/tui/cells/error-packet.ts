/** Lines of a file around a place that a traceback names. `first` counts from 1. */
export type FramePacket = {
	readonly path: string;
	readonly line: number;
	readonly first: number;
	readonly text: string;
};

/** All that is sent to have an error explained. */
export type ErrorPacket = {
	/** Execution count of the cell, when it has one. */
	readonly cell: number | null;
	/** As `KeyError: 'b'`. */
	readonly error: string;
	readonly source: string;
	/** Without colours. */
	readonly traceback: string;
	readonly frames: readonly FramePacket[];
};
