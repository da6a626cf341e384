import type {Client} from '../api/client-types.ts';
import type {RunRequest} from '../contract/cells.ts';
import {endOf, type RunEnd} from './event.ts';

/** Runs code through the service. `isLocal`: the service stops code whose request is closed. */
export const runOverService = async (
	client: Pick<Client, 'runCode'>,
	server: string,
	request: RunRequest,
	{signal, isLocal}: {readonly signal: AbortSignal; readonly isLocal: boolean},
): Promise<RunEnd> => {
	const reply = await client.runCode(server, request, {signal});
	if (reply.ok) return endOf(reply.value, false);
	if (reply.failure.kind === 'cancelled') return {how: isLocal ? 'interrupted' : 'gave-up', result: null};
	return {how: 'failed', result: null, failure: reply.failure};
};
