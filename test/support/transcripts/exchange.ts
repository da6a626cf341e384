/** A value of JSON. */
export type Json = string | number | boolean | null | readonly Json[] | {readonly [field: string]: Json};

/**
 * One request and its answer, written by hand from the interface, without a look at src/contract: client and service share that,
 * so they could agree on an error. `status` 200 stands also where the interface shows none (start, compute).
 */
export type Exchange = {
	/** Section of the interface. */
	readonly section: string;
	readonly method: string;
	/** As it stands in the request line. */
	readonly path: string;
	/** What is sent as JSON; undefined for a request without a body. */
	readonly body: Json | undefined;
	readonly status: number;
	/** A JSON answer, or the lines of a stream without their newlines. */
	readonly answer: {readonly json: Json} | {readonly lines: readonly string[]};
};
