import type {Live} from '../../../api/client-types.ts';
import {sessionOf, type Document} from '../../../run/open-kernel.ts';
import {label} from '../../../text/safe.ts';
import {noLinkReason} from '../../live/link-state.ts';
import {documentName, ownerOf, runsAtAddress} from './owner.ts';
import {endOf, orderFailed} from '../../live/orders.ts';
import {part, type App} from '../../core/app.ts';
import {serverLinks} from '../../live/links.ts';
import {route, topDialog} from '../../core/store/route.ts';
import {kernelAccess} from './kernels.ts';
import {notices} from '../../core/store/notices.ts';

/** `runsAll`: the new kernel runs all cells of the document. */
type RestartHow = {readonly document: Document; readonly runsAll?: boolean};

export type KernelRestart = {
	/** Asks whether to restart the kernel. Returns a sentence if the API has no restart. */
	askRestart(server: string, how: RestartHow): string | void;
	/** Restarts the kernel of a document and reports the outcome. */
	restartKernel(server: string, how: RestartHow): Promise<void>;
};

export const kernelRestart = part('kernelRestart', ({get}: App): KernelRestart => {
	// A notice shows one row, so the reason comes before the advice.
	const noRestart = (server: string, because: string): string =>
		`No restart on ${label(server, 60)}: ${because}. Stopping and starting the server also gives it new kernels`;
	/** Shows in the dialog which other documents use the kernel. Never starts a kernel. */
	const showUsers = async (server: string, document: Document, live: Live): Promise<void> => {
		const {path} = sessionOf(document);
		const listed = await live.kernels.list(sessionOf(document));
		const open = topDialog(get(), 'restart');
		if (!listed.ok || open?.server !== server || sessionOf(open.document).path !== path) return;
		const kernel = listed.value.find(({isOfSession}) => isOfSession);
		const others = kernel?.sessions.filter(session => session.path !== path) ?? [];
		route(get).changeDialog({...open, users: others.map(session => session.path)});
	};
	return {
		askRestart: (server, {document, runsAll = false}) =>
			serverLinks(get).withAddress(
				server,
				because => noRestart(server, because),
				live => {
					if (runsAtAddress(get(), server, document)) {
						route(get).openDialog({kind: 'restart', server, document, runsAll});
						return void showUsers(server, document, live);
					}
					kernelAccess(get).showKernels(server);
					notices(get).notify(
						'info',
						`Cells of ${label(server, 60)} run through the service, which does not report their kernel: choose the kernel to restart`,
					);
				},
			),
		async restartKernel(server, {document, runsAll = false}) {
			const live = await serverLinks(get).addressLink(server);
			if (live === null)
				return notices(get).notify('bad', noRestart(server, noLinkReason(get().links.get(server))));
			const owner = ownerOf(get, server, document);
			const name = document.kind === 'notebook' ? documentName(document) : label(server, 60);
			const found = await live.kernels.idOf(sessionOf(owner.document));
			const settle = owner.endKernel();
			const done = found.ok ? await live.kernels.restart(found.value) : found;
			settle(endOf(done));
			if (!done.ok)
				return notices(get).notify(
					'bad',
					orderFailed(`The kernel of ${name} was not restarted`, done.failure),
				);
			notices(get).notify('info', `The kernel of ${name} was restarted: it is a new one, files are kept`);
			if (runsAll) ownerOf(get, server, document).runAll?.();
		},
	};
});
