import type {ClientSettings} from '../api/client-types.ts';
import type {Service} from '../cli/context.ts';
import type {Globals} from '../cli/globals.ts';
import {attachOwn} from './attach.ts';

/** Reaches the service that options and environment name, and lets go of it at the end. */
export const createConnection = (globals: Globals, signal: AbortSignal) => {
	let release = (): void => {};
	const connect = async (): Promise<Service> => {
		const {chooseService} = await import('../settings/target.ts');
		const [choice, {createClient}, {guarded}, {setCurrency}] = await Promise.all([
			chooseService(globals),
			import('../api/client.ts'),
			import('../api/read-only.ts'),
			import('../text/money.ts'),
		]);
		const {facts, ...remote} = choice;
		setCurrency(facts.currency);
		const serviceAt = (settings: ClientSettings, isLocal: boolean, started: boolean): Service => ({
			client: guarded(createClient(settings), facts),
			isLocal,
			started,
			models: facts.models,
		});
		if (remote.kind === 'remote') return serviceAt(remote, false, false);
		const attached = await attachOwn({signal});
		release = attached.release;
		return serviceAt(attached, true, attached.started);
	};
	return {connect, release: () => release()};
};
