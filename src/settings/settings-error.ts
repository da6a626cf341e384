/** What the user set wrong; the message says what to do. `auth`: there is no usable key. */
export class SettingsError extends Error {
	readonly code: 'config' | 'auth';
	constructor(code: SettingsError['code'], message: string) {
		super(message);
		this.code = code;
	}
}
