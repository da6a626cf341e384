import {sessionOf} from '../../../run/open-kernel.ts';
import {label} from '../../../text/safe.ts';
import {noLinkReason} from '../../live/link-state.ts';
import {kernelOwner, runsAtAddress} from './owner.ts';
import {endOf, orderFailed} from '../../live/orders.ts';
import {part, type App} from '../../core/app.ts';
import {serverLinks} from '../../live/links.ts';
import {route} from '../../core/store/route.ts';
import {kernelAccess} from './kernels.ts';
import {notices} from '../../core/store/notices.ts';

export type KernelRestart = {
	/** Asks whether to restart the kernel. Returns a sentence if the interface cannot. */
	askRestart(server: string): string | void;
	/** Restarts the kernel of the REPL and reports the outcome. */
	restartKernel(server: string): Promise<void>;
};

export const kernelRestart = part('kernelRestart', ({get}: App): KernelRestart => {
	// A notice has one row, so the reason comes first.
	const noRestart = (server: string, because: string): string =>
		`No restart on ${label(server, 60)}: ${because}. Stopping and starting the server also gives a new kernel`;
	return {
		askRestart: server =>
			serverLinks(get).withAddress(
				server,
				because => noRestart(server, because),
				() => {
					if (runsAtAddress(get(), server)) return route(get).openDialog({kind: 'restart', server});
					kernelAccess(get).showKernels(server);
					notices(get).notify(
						'info',
						`Cells of ${label(server, 60)} go over the service now, which does not say which kernel is theirs: choose the one to restart`,
					);
				},
			),
		async restartKernel(server) {
			const live = await serverLinks(get).addressLink(server);
			if (live === null)
				return notices(get).notify('bad', noRestart(server, noLinkReason(get().links.get(server))));
			const owner = kernelOwner(get, server);
			const found = await live.kernels.idOf(sessionOf(owner.document));
			const settle = owner.endKernel();
			const done = found.ok ? await live.kernels.restart(found.value) : found;
			settle(endOf(done));
			if (!done.ok)
				return notices(get).notify(
					'bad',
					orderFailed(`The kernel of ${label(server, 60)} was not restarted`, done.failure),
				);
			notices(get).notify(
				'info',
				`The kernel of ${label(server, 60)} was restarted: it is a new one, files are kept`,
			);
		},
	};
});
