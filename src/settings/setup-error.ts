/**
 * The setup names no usable service. The message includes the fix. `config`: invalid configuration.
 * `auth`: no usable key. `unreachable`: the local service does not start.
 */
export class SetupError extends Error {
	readonly code: 'config' | 'auth' | 'unreachable';
	constructor(message: string, code: SetupError['code'] = 'config') {
		super(message);
		this.code = code;
	}
}
