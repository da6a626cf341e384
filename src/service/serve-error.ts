/** Why the service cannot start. Exit codes are the product's: 2 usage, 69 port taken, 73 folder in use, 77 folder or file not safe
 * or not usable. */
export class ServeError extends Error {
	readonly exitCode: 2 | 69 | 73 | 77;
	constructor(exitCode: ServeError['exitCode'], message: string) {
		super(message);
		this.exitCode = exitCode;
	}
}

/** An option or a file of the operator that cannot be used. */
export const usageError = (message: string): ServeError => new ServeError(2, message);
