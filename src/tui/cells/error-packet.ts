/** Source lines around a position that a traceback names. `first` counts from 1. */
export type FramePacket = {
	readonly path: string;
	readonly line: number;
	readonly first: number;
	readonly text: string;
};

/** Code of an earlier cell. `cell`: its execution count. */
export type NeededPacket = {
	readonly cell: number | null;
	readonly source: string;
	/** Names that it binds or changes for the cells after it. */
	readonly names: readonly string[];
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
	/** Earlier cells whose names the code uses, in the order in which they ran. */
	readonly needed: readonly NeededPacket[];
};
