import type {Failure} from '../../api/failure.ts';
import type {ExecutedCell, RunRequest} from '../../contract/cells.ts';
import type {State} from '../core/program.ts';
import type {Deps} from '../core/store/deps.ts';
import type {KernelUse} from '../live/link-state.ts';

type Came =
	| {readonly state: 'done'; readonly result: ExecutedCell}
	| {readonly state: 'interrupted' | 'gave-up'}
	| {readonly state: 'failed'; readonly failure: Failure};

/** Runs code over the contract's endpoint, whose answer comes at the end. A signal that was given before means that nothing is sent. */
export const runOverService = async (
	{client, get}: Pick<Deps, 'client'> & {readonly get: () => State},
	server: string,
	request: RunRequest,
	use: KernelUse,
	signal: AbortSignal,
): Promise<Came> => {
	const service = await client();
	if (signal.aborted) return {state: 'interrupted'};
	get().ranOverService(server, use);
	const reply = await service.runCode(server, request, {signal});
	if (reply.ok) return {state: 'done', result: reply.value};
	return reply.failure.kind === 'cancelled'
		? {state: get().isLocal ? 'interrupted' : 'gave-up'}
		: {state: 'failed', failure: reply.failure};
};
