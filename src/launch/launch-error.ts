/** The local service cannot be used; the message says what to do. `config` is the user's to mend. */
export class LaunchError extends Error {
	readonly kind: 'config' | 'unreachable';
	constructor(kind: LaunchError['kind'], message: string) {
		super(message);
		this.kind = kind;
	}
}
