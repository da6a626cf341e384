// Extension of the API: signing in with a browser. Available if the service can ask its hub who the
// user is.
import {createHash} from 'node:crypto';
import * as z from 'zod';
import {success, type Endpoint} from './endpoint.ts';

const signInBody = z.object({
	/** Code that the browser has passed to the program. */
	code: z.string().max(4096),
	/** Text whose digest the program gave to the page at the start. */
	verifier: z.string().max(128),
});
const signInAnswer = z.looseObject({...success, key: z.string().min(1).max(4096)});

/** Exchanges the code for an API key, once. */
export const finishSignIn = {
	method: 'POST',
	path: '../local/sign-in',
	body: signInBody,
	response: signInAnswer,
} as const satisfies Endpoint<typeof signInBody, typeof signInAnswer>;

const digest = (text: string) => createHash('sha256').update(text);

/** Digest of a verifier, for the sign-in page. The verifier cannot be derived from it. */
export const challengeOf = (verifier: string): string => digest(verifier).digest('base64url');

/**
 * Text that both page and program show. If they differ, the user notices the sign-in of another
 * program.
 */
export const signInMark = (challenge: string): string =>
	digest(challenge).digest('hex').slice(0, 8).toUpperCase().replace(/^.{4}/, '$&-');
