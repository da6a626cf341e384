/** No service can be used as things are set up; the message says what to do. `config` is the user's to correct, `auth`: there is no usable key. */
export class SetupError extends Error {
	readonly code: 'config' | 'auth' | 'unreachable';
	constructor(message: string, code: SetupError['code'] = 'config') {
		super(message);
		this.code = code;
	}
}
