// Ours, beside the interface, which leaves open where keys come from: told to whoever asks, since who needs a key has none.
import * as z from 'zod';
import {success, type Endpoint} from './endpoint.ts';
import {lenient} from './lenient.ts';

/** A browser may be led there: of the web, and without anything that a browser would send along. */
const webPage = (value: unknown): string | null => {
	const url = typeof value === 'string' ? URL.parse(value) : null;
	const isPlain = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
	return isPlain ? url.href : null;
};

const keyPageAnswer = z.looseObject({
	...success,
	/** Where users make their keys; null where the operator hands them out. */
	key_page: lenient(webPage),
});

export const getKeyPage = {
	method: 'GET',
	path: '../local/key-page',
	body: undefined,
	response: keyPageAnswer,
} as const satisfies Endpoint<undefined, typeof keyPageAnswer>;
