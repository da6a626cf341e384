/** What an error says; of what was thrown that is none, its text. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Node's code, as `ENOENT`; empty where there is none. */
export const codeOf = (error: unknown): string =>
	error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
