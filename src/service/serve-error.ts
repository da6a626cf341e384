/**
 * The service cannot start. Exit codes: 2 for wrong usage, 69 for a port in use, 73 for a folder in
 * use, 77 for a folder or file that is unsafe or unusable.
 */
export class ServeError extends Error {
	readonly exitCode: 2 | 69 | 73 | 77;
	constructor(exitCode: ServeError['exitCode'], message: string) {
		super(message);
		this.exitCode = exitCode;
	}
}

export const usageError = (message: string): ServeError => new ServeError(2, message);
