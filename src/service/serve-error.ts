/** Exit codes: 2 usage, 69 port taken, 73 folder in use, 77 folder or file unsafe or unusable. */
export class ServeError extends Error {
	readonly exitCode: 2 | 69 | 73 | 77;
	constructor(exitCode: ServeError['exitCode'], message: string) {
		super(message);
		this.exitCode = exitCode;
	}
}

export const usageError = (message: string): ServeError => new ServeError(2, message);
