/** What went wrong, of whatever was thrown. */
export const errorWords = (error: unknown): string =>
	error instanceof Error ? error.message : String(error);
