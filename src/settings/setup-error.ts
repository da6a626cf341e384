/**
 * No service can be used with this setup; the message says how to fix it. `config`: invalid
 * configuration. `auth`: no usable key. `unreachable`: the local service does not start.
 */
export class SetupError extends Error {
	readonly code: 'config' | 'auth' | 'unreachable';
	constructor(message: string, code: SetupError['code'] = 'config') {
		super(message);
		this.code = code;
	}
}
