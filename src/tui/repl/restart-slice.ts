import {explainFailure} from '../core/store/remote.ts';
import type {Failure} from '../../api/failure.ts';
import type {Live} from '../../api/client-types.ts';
import {label} from '../../text/safe.ts';
import type {Slice} from '../core/program.ts';
import {replOf} from './cell.ts';
import {whyNoLink} from './live-slice.ts';

export type RestartSlice = {
	/** Asks whether the kernel is to begin anew. A sentence says what the interface lacks. */
	askRestart(server: string): string | void;
	/** Restarts the kernel of the REPL, and tells what came of it. */
	restartKernel(server: string): Promise<void>;
	/** Calls back with the link, or tells `lacks`, given why there is none: at once, where that is known. */
	withKernels(server: string, lacks: (why: string) => string, act: (live: Live) => void): string | void;
};

/** What the failure of an order says, on one line. */
export const orderFailed = (what: string, failure: Failure): string => {
	const {what: said, next} = explainFailure(failure);
	return `${what}: ${label(said, 400)} ${label(next, 200)}`;
};

export const createRestartSlice = (): Slice<RestartSlice> => (_, get) => {
	const why = (server: string): string => whyNoLink(get().links.get(server));
	// A notice is one row: the reason has to come soon.
	const noRestart = (server: string, because: string): string =>
		`No restart on ${label(server, 60)}: ${because}. Stopping and starting the server begins anew, too`;
	return {
		withKernels(server, lacks, act) {
			if (get().links.get(server)?.kind === 'none') return lacks(why(server));
			void get()
				.linkOf(server)
				.then(live => {
					if (live) act(live);
					else get().notify('info', lacks(why(server)));
				});
		},
		askRestart: server =>
			get().withKernels(
				server,
				because => noRestart(server, because),
				() => get().openDialog({kind: 'restart', server}),
			),
		async restartKernel(server) {
			const live = await get().linkOf(server);
			if (live === null) return get().notify('bad', noRestart(server, why(server)));
			const found = await live.kernels.idOf(replOf(get(), server).kernel);
			const ended = get().endKernel(server);
			const done = found.ok ? await live.kernels.restart(found.value) : found;
			if (!done.ok)
				return get().notify(
					'bad',
					orderFailed(`The kernel of ${label(server, 60)} was not restarted`, done.failure),
				);
			ended();
			get().notify(
				'info',
				`The kernel of ${label(server, 60)} was restarted: it is a new one, files are kept`,
			);
		},
	};
};
