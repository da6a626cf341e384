import type {ClientSettings} from './client-types.ts';
import {createClient} from './client.ts';

/** Timeout in ms: the user is about to type a key. */
const TIMEOUT_MS = 3000;

/** Page where users create API keys, or null. Sends no key. Never rejects. */
export const keyPageOf = async (
	service: Omit<ClientSettings, 'apiKey'>,
	signals: readonly AbortSignal[] = [],
): Promise<string | null> => {
	const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...signals]);
	const reply = await createClient({...service, apiKey: null}).keyPage({signal});
	return reply.ok ? reply.value : null;
};
