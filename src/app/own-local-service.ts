import type {Attached} from '../launch/attach-local.ts';
import type {KeepKernels} from '../settings/keep-kernels.ts';
import {attachLocalService} from './attach.ts';
import type {RetainedSummary} from './summary.ts';

/** How long leaving waits to know what stays. */
const ASK_MS = 500;

/** The service on this machine, held from its first use to the end of the program: servers there go on while another profile is shown. */
export type LocalService = {
	attach(onEnd: () => void, keep: KeepKernels): Promise<Attached>;
	/** What stays when we go; null where that is nothing's or nobody's question: no such service, or one that keeps nothing. */
	staying(): Promise<RetainedSummary | null>;
	/** Ends the service, and what it would keep. */
	stop(): Promise<void>;
	release(): void;
};

export const createLocalService = (): LocalService => {
	let held: Attached | undefined;
	let notifyEnd = (): void => {};
	let keeps: KeepKernels = {ms: 0, asks: false};
	return {
		async attach(onEnd, keep) {
			notifyEnd = onEnd;
			if (held) return held;
			keeps = keep;
			held = await attachLocalService({
				keep: keep.ms,
				onEnd() {
					held = undefined;
					notifyEnd();
				},
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
