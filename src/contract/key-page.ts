// Extension of the API: the page where users create keys, which the API does not define. Requires
// no key.
import * as z from 'zod';
import {success, type Endpoint} from './endpoint.ts';
import {lenient} from './lenient.ts';

/** Address that is safe to open in a browser: HTTP(S), without credentials. Null if unsafe. */
const webPage = (value: unknown): string | null => {
	const url = typeof value === 'string' ? URL.parse(value) : null;
	const isPlain = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
	return isPlain ? url.href : null;
};

const keyPageAnswer = z.looseObject({
	...success,
	/** Page where users create API keys. Null if the operator issues them. */
	key_page: lenient(webPage),
	/** True if the service offers signing in with a browser, at `/local/sign-in`. */
	browser_sign_in: lenient(value => value === true),
});

export const getKeyPage = {
	method: 'GET',
	path: '../local/key-page',
	body: undefined,
	response: keyPageAnswer,
} as const satisfies Endpoint<undefined, typeof keyPageAnswer>;
