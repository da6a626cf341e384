import {label} from '../../text/safe.ts';
import type {Slice} from '../core/program.ts';
import {replOf} from './transcript.ts';
import {whyNoLink} from '../live/link-state.ts';
import {cellsRunAtAddress} from './cells-link.ts';
import {endOf, orderFailed} from '../live/orders.ts';

export type RestartSlice = {
	/** Asks whether the kernel is to begin anew. A sentence says what the interface lacks. */
	askRestart(server: string): string | void;
	/** Restarts the kernel of the REPL, and tells what came of it. */
	restartKernel(server: string): Promise<void>;
};

export const createRestartSlice = (): Slice<RestartSlice> => (_, get) => {
	// A notice is one row: the reason has to come soon.
	const noRestart = (server: string, because: string): string =>
		`No restart on ${label(server, 60)}: ${because}. Stopping and starting the server begins anew, too`;
	return {
		askRestart: server =>
			get().withAddress(
				server,
				because => noRestart(server, because),
				() => {
					if (cellsRunAtAddress(get(), server)) return get().openDialog({kind: 'restart', server});
					get().showKernels(server);
					get().notify(
						'info',
						`Cells of ${label(server, 60)} go over the service now, which does not say which kernel is theirs: choose the one to restart`,
					);
				},
			),
		async restartKernel(server) {
			const live = await get().addressLink(server);
			if (live === null) return get().notify('bad', noRestart(server, whyNoLink(get().links.get(server))));
			const found = await live.kernels.idOf(replOf(get(), server).kernel);
			const settle = get().endKernel(server);
			const done = found.ok ? await live.kernels.restart(found.value) : found;
			settle(endOf(done));
			if (!done.ok)
				return get().notify(
					'bad',
					orderFailed(`The kernel of ${label(server, 60)} was not restarted`, done.failure),
				);
			get().notify(
				'info',
				`The kernel of ${label(server, 60)} was restarted: it is a new one, files are kept`,
			);
		},
	};
};
