import type {ClientSettings} from './client-types.ts';
import {createClient} from './client.ts';

/** Milliseconds: whoever is about to type a key waits for it. */
const WITHIN = 3000;

/** Where users of a service make their keys, as it says itself; null where it does not say. It is asked without a key. Never rejects. */
export const keyPageOf = async (
	service: Omit<ClientSettings, 'apiKey'>,
	signals: readonly AbortSignal[] = [],
): Promise<string | null> => {
	const signal = AbortSignal.any([AbortSignal.timeout(WITHIN), ...signals]);
	const reply = await createClient({...service, apiKey: null}).keyPage({signal});
	return reply.ok ? reply.value : null;
};
