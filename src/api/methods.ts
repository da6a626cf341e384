export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** A call as the user types it. `path`: below the base URL, with its query. */
export type TypedCall = {readonly method: Method; readonly path: string; readonly body?: object};

export type TypedAnswer = {readonly contentType: string; readonly body: Buffer};
