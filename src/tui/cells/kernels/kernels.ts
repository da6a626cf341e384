import type {ListedKernel} from '../../../api/client-types.ts';
import type {Failure, Reply} from '../../../api/failure.ts';
import {sessionOf} from '../../../run/open-kernel.ts';
import {label} from '../../../text/safe.ts';
import type {State} from '../../core/program.ts';
import {idle, latestOnly, type Remote} from '../../core/store/remote.ts';
import {kernelUsers} from './rows.ts';
import {noLinkReason} from '../../live/link-state.ts';
import {replOwner, runsAtAddress} from './owner.ts';
import {endOf, orderFailed} from '../../live/orders.ts';
import {part, type App} from '../../core/app.ts';
import {serverLinks, type ServerLinks} from '../../live/links.ts';
import {notices} from '../../core/store/notices.ts';
import {route} from '../../core/store/route.ts';

/** Orders that end a kernel and its variables. */
export type EndingOrder = 'restart' | 'shutDown';

export type KernelsState = {
	/** Kernels of the server in the dialog. */
	readonly kernelList: Remote<readonly ListedKernel[]>;
};

export type KernelAccess = {
	/** Opens the list of a server's kernels. Returns a sentence if the kernels cannot be listed. */
	showKernels(server: string): string | void;
	/** Runs the next cells of the REPL in this kernel. */
	useKernel(server: string, kernel: ListedKernel): Promise<void>;
	interruptKernel(server: string, kernel: ListedKernel): Promise<void>;
	/** Restarts a kernel or shuts it down, and reports the outcome. */
	endListedKernel(server: string, kernel: ListedKernel, order: EndingOrder): Promise<void>;
};

/** Polling interval while the list is on screen, in ms. */
const AGAIN_MS = 3000;

const GONE: Failure = {
	kind: 'not-found',
	method: 'GET',
	path: '/kernels',
	message: 'The server can no longer be reached.',
};
const DONE = {restart: 'restarted', shutDown: 'shut down'} as const;

/** Server whose kernels are listed; undefined without a list. A question may cover the list. */
const shownIn = ({dialogs}: Pick<State, 'dialogs'>): string | undefined =>
	dialogs.find(each => each.kind === 'kernels')?.server;

/** A kernel's name and users, for a sentence. */
export const kernelCalled = (kernel: ListedKernel): string =>
	`${label(kernel.name, 40)} (${kernelUsers(kernel)})`;

const firstKernels = (): KernelsState => ({kernelList: idle});

export const kernelAccess = part(
	'kernelAccess',
	({get, set, subscribe, deps: {now}}: App): KernelAccess => {
		let timer: NodeJS.Timeout | undefined;
		let lastRunning: number | undefined;
		const load = latestOnly(
			() => get().kernelList,
			kernelList => set({kernelList}),
			now,
		);
		const poll = async (): Promise<void> => {
			clearTimeout(timer);
			const server = shownIn(get());
			if (server === undefined) return;
			await load(async () => {
				const live = await serverLinks(get).addressLink(server);
				if (live === null) return {ok: false, failure: GONE};
				const reply = await live.kernels.list(sessionOf(replOwner(get, server).document));
				// If the REPL's cells run through the service, their kernel is unknown, so no
				// kernel is marked.
				return !reply.ok || runsAtAddress(get(), server, replOwner(get, server).document)
					? reply
					: {ok: true, value: reply.value.map(each => ({...each, isOfSession: false}))};
			});
			clearTimeout(timer);
			if (shownIn(get()) !== undefined) timer = setTimeout(() => void poll(), AGAIN_MS).unref();
		};
		// Polls when a cell of the REPL starts or ends, because the kernels' states have changed.
		subscribe((state, old) => {
			const server = shownIn(state);
			if (server === undefined) return;
			const {running} = replOwner(get, server);
			if (shownIn(old) === server && running === lastRunning) return;
			lastRunning = running;
			void poll();
		});
		const carryOut = async (
			server: string,
			what: string,
			act: (live: NonNullable<Awaited<ReturnType<ServerLinks['addressLink']>>>) => Promise<Reply<null>>,
			done: string,
		): Promise<Reply<null>> => {
			const live = await serverLinks(get).addressLink(server);
			const came = live === null ? ({ok: false, failure: GONE} as const) : await act(live);
			if (came.ok) notices(get).notify('info', done);
			else notices(get).notify('bad', orderFailed(what, came.failure));
			void poll();
			return came;
		};
		return {
			showKernels: server =>
				serverLinks(get).withAddress(
					server,
					why => `The kernels of ${label(server, 60)} cannot be listed: ${why}`,
					() => {
						set({kernelList: idle});
						route(get).openDialog({kind: 'kernels', server, at: null});
					},
				),
			async useKernel(server, kernel) {
				// The user's choice of a kernel at the server's address also permits the live link.
				serverLinks(get).takeLink(server);
				const live = await serverLinks(get).linkOf(server);
				if (live === null)
					return notices(get).notify(
						'bad',
						`The kernel cannot be used: ${noLinkReason(get().links.get(server))}`,
					);
				live.kernels.use(sessionOf({kind: 'repl', kernel: kernel.name}), kernel.id);
				replOwner(get, server).use(kernel.name);
				notices(get).notify(
					'info',
					`The next cells of ${label(server, 60)} run in ${kernelCalled(kernel)}; ":kernel ${label(kernel.name, 40)}" returns to the REPL's own kernel`,
				);
				await poll();
			},
			async interruptKernel(server, kernel) {
				await carryOut(
					server,
					`${kernelCalled(kernel)} was not interrupted`,
					async live => live.kernels.interrupt(kernel.id),
					`${kernelCalled(kernel)} was interrupted`,
				);
			},
			async endListedKernel(server, kernel, order) {
				const settle = kernel.isOfSession ? replOwner(get, server).endKernel() : undefined;
				const came = await carryOut(
					server,
					`${kernelCalled(kernel)} was not ${DONE[order]}`,
					async live => live.kernels[order](kernel.id),
					`${kernelCalled(kernel)} was ${DONE[order]}`,
				);
				settle?.(endOf(came));
			},
		};
	},
	firstKernels,
);
