/** Source lines around a position that a traceback names. `first`: number of the first line. */
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
	/** Names that the code binds or changes for later cells. */
	readonly names: readonly string[];
};

/** Everything that a request to explain an error sends. */
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
