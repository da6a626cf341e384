export type Json = string | number | boolean | null | readonly Json[] | {readonly [field: string]: Json};

/**
 * A request and its response. They are written by hand from the text of the API, not from
 * src/contract: client and service share that, so an error there would go unnoticed. `status` is
 * 200 where the API's text shows none (start, compute).
 */
export type Exchange = {
	/** Section of the API. */
	readonly section: string;
	readonly method: string;
	/** The path in the request line. */
	readonly path: string;
	/** JSON body; undefined for a request without one. */
	readonly body: Json | undefined;
	readonly status: number;
	/** A JSON response, or the lines of a stream without their newlines. */
	readonly answer: {readonly json: Json} | {readonly lines: readonly string[]};
};
