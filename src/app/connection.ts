import type {ClientSettings} from '../api/client-types.ts';
import type {Service} from '../cli/context.ts';
import type {Globals} from '../cli/globals.ts';
import {attachLocalService} from './attach.ts';

/** Connects to the service that options and environment select, and releases it at the end. */
export const createConnection = (globals: Globals, signal: AbortSignal) => {
	const leases: (() => void)[] = [];
	const ends: (() => void)[] = [];
	const connect = async (how?: {readonly keep: number}): Promise<Service> => {
		const {chooseService} = await import('../settings/target.ts');
		const [
			choice,
			{createClient},
			{restrictedClient},
			{setCurrency},
			{recordingClient},
			{readStartupSettings},
		] = await Promise.all([
			chooseService(globals),
			import('../api/client.ts'),
			import('../api/read-only.ts'),
			import('../text/money.ts'),
			import('../cli/costs/recording-client.ts'),
			import('../settings/startup-settings.ts'),
		]);
		const {facts} = choice;
		setCurrency(facts.currency);
		const serviceAt = (
			settings: ClientSettings,
			own: Pick<Service, 'isLocal' | 'started' | 'keeps' | 'hasEnded'>,
		): Service => {
			const {client, end} = recordingClient(
				restrictedClient(createClient(settings), facts),
				readStartupSettings(globals),
			);
			ends.push(end);
			return {client, models: facts.models, ...own};
		};
		if (choice.kind === 'remote')
			return serviceAt(choice, {isLocal: false, started: false, keeps: 0, hasEnded: () => false});
		const {keepKernels, ...ways} = choice;
		const keep = Math.max(keepKernels.ms, how?.keep ?? 0);
		let hasEnded = false;
		const attached = await attachLocalService({
			signal,
			keep,
			onEnd() {
				hasEnded = true;
			},
		});
		const {started, leased} = attached;
		leases.push(attached.release);
		return serviceAt(
			{...ways, ...attached},
			{isLocal: true, started, keeps: keep, hasEnded: () => leased && hasEnded},
		);
	};
	return {
		connect,
		release() {
			for (const end of ends) end();
			for (const release of leases) release();
		},
	};
};
