import type {Attached} from '../launch/attach-local.ts';
import type {KeepKernels} from '../settings/keep-kernels.ts';
import {attachLocalService} from './attach.ts';
import type {RetainedSummary} from './summary.ts';

/** Time limit of the request for the retained servers, in ms. */
const ASK_MS = 500;

export type ServiceEvents = {
	/** The service has ended. */
	readonly onEnd: () => void;
	/** Servers on hosts have changed. */
	readonly onChange: () => void;
};

/**
 * Local service. Its lease is held from its first use to the end of the program, so that its
 * servers keep running while another profile is shown.
 */
export type LocalService = {
	attach(keep: KeepKernels, events: ServiceEvents): Promise<Attached>;
	/** Servers that outlive this process. Null if no local service runs, or if it retains none. */
	staying(): Promise<RetainedSummary | null>;
	/** Stops the service, with the servers that it would retain. */
	stop(): Promise<void>;
	release(): void;
};

export const createLocalService = (): LocalService => {
	let held: Attached | undefined;
	let events: ServiceEvents = {onEnd: () => {}, onChange: () => {}};
	let keeps: KeepKernels = {ms: 0, asks: false};
	return {
		async attach(keep, own) {
			events = own;
			if (held) return held;
			keeps = keep;
			held = await attachLocalService({
				keep: keep.ms,
				onEnd() {
					held = undefined;
					events.onEnd();
				},
				onChange: () => events.onChange(),
			});
			return held;
		},
		async staying() {
			if (!held?.leased || keeps.ms === 0) return null;
			const {fetchRetained} = await import('../launch/retained.ts');
			const kept = await fetchRetained(held, ASK_MS);
			return {
				names: kept?.servers.map(({name}) => name) ?? null,
				isLast: kept?.held === 1,
				span: keeps.ms,
				asks: keeps.asks,
			};
		},
		async stop() {
			const {askToStop} = await import('../launch/retained.ts');
			if (held) await askToStop(held);
		},
		release: () => held?.release(),
	};
};
