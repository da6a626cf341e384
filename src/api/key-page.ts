import type {ClientSettings, SignInWays} from './client-types.ts';
import {createClient} from './client.ts';

/** Time limit in ms. Short, because the user is about to type a key. */
const TIMEOUT_MS = 3000;

/** Ways to get an API key. The request contains no key. Never rejects. */
export const signInWaysOf = async (
	service: Omit<ClientSettings, 'apiKey'>,
	signals: readonly AbortSignal[] = [],
): Promise<SignInWays> => {
	const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...signals]);
	const reply = await createClient({...service, apiKey: null}).keyPage({signal});
	return reply.ok ? reply.value : {page: null, hasBrowser: false};
};
