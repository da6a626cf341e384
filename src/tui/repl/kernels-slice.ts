import type {ListedKernel} from '../../api/client-types.ts';
import type {Failure} from '../../api/failure.ts';
import {label} from '../../text/safe.ts';
import type {Slice, State} from '../core/program.ts';
import type {Deps} from '../core/store/deps.ts';
import {idle, newestWins, type Remote} from '../core/store/remote.ts';
import {replOf, runningCell} from './cell.ts';
import {kernelUsers} from './kernel-rows.ts';
import {whyNoLink} from './live-slice.ts';
import {orderFailed} from './restart-slice.ts';

/** What ends the names of a kernel. */
export type EndingOrder = 'restart' | 'shutDown';

export type KernelsSlice = {
	/** Of the server whose kernels are shown. */
	readonly kernelList: Remote<readonly ListedKernel[]>;
	/** Lists the kernels of a server. A sentence says why it cannot be. */
	showKernels(server: string): string | void;
	/** The next cells of the REPL run in this one. */
	useKernel(server: string, kernel: ListedKernel): Promise<void>;
	interruptKernel(server: string, kernel: ListedKernel): Promise<void>;
	/** Restarts it or shuts it down, and tells what came of it. */
	endListedKernel(server: string, kernel: ListedKernel, order: EndingOrder): Promise<void>;
};

/** Milliseconds between two looks, while they are on screen. */
const AGAIN_MS = 3000;

const GONE: Failure = {
	kind: 'not-found',
	method: 'GET',
	path: '/kernels',
	message: 'The server cannot be asked any more.',
};
const DONE = {restart: 'restarted', shutDown: 'shut down'} as const;

/** The server whose kernels are listed, also below a question about one of them. */
const shownIn = ({dialogs}: Pick<State, 'dialogs'>): string | undefined =>
	dialogs.find(each => each.kind === 'kernels')?.server;

/** One kernel among others, in a sentence. */
export const kernelCalled = (kernel: ListedKernel): string =>
	`${label(kernel.name, 40)} (${kernelUsers(kernel)})`;

export const createKernelsSlice =
	({now}: Deps): Slice<KernelsSlice> =>
	(set, get, store) => {
		let timer: NodeJS.Timeout | undefined;
		const load = newestWins(
			() => get().kernelList,
			kernelList => set({kernelList}),
			now,
		);
		const look = async (): Promise<void> => {
			clearTimeout(timer);
			const server = shownIn(get());
			if (server === undefined) return;
			await load(async () => {
				const live = await get().linkOf(server);
				return live === null ? {ok: false, failure: GONE} : live.kernels.list(replOf(get(), server).kernel);
			});
			clearTimeout(timer);
			if (shownIn(get()) !== undefined) timer = setTimeout(() => void look(), AGAIN_MS).unref();
		};
		// What runs may have ended without a word of it to the server's list.
		store.subscribe((state, old) => {
			const server = shownIn(state);
			if (server === undefined) return;
			const cellIn = (each: State): number | undefined => runningCell(replOf(each, server))?.id;
			if (shownIn(old) !== server || cellIn(state) !== cellIn(old)) void look();
		});
		const carryOut = async (
			server: string,
			what: string,
			act: (
				live: NonNullable<Awaited<ReturnType<State['linkOf']>>>,
			) => Promise<{ok: true} | {ok: false; failure: Failure}>,
			done: string,
		): Promise<void> => {
			const live = await get().linkOf(server);
			const came = live === null ? ({ok: false, failure: GONE} as const) : await act(live);
			if (came.ok) get().notify('info', done);
			else get().notify('bad', orderFailed(what, came.failure));
			await look();
		};
		return {
			kernelList: idle,
			showKernels: server =>
				get().withKernels(
					server,
					why => `The kernels of ${label(server, 60)} cannot be listed: ${why}`,
					() => {
						set({kernelList: idle});
						get().openDialog({kind: 'kernels', server, at: null});
					},
				),
			async useKernel(server, kernel) {
				const live = await get().linkOf(server);
				if (live === null)
					return get().notify('bad', `The kernel cannot be used: ${whyNoLink(get().links.get(server))}`);
				live.kernels.use(kernel.name, kernel.id);
				get().changeRepl(server, {kernel: kernel.name});
				get().notify(
					'info',
					`The next cells of ${label(server, 60)} run in ${kernelCalled(kernel)}; ":kernel ${label(kernel.name, 40)}" goes back to the REPL's own`,
				);
				await look();
			},
			interruptKernel: async (server, kernel) =>
				carryOut(
					server,
					`${kernelCalled(kernel)} was not interrupted`,
					async live => live.kernels.interrupt(kernel.id),
					`${kernelCalled(kernel)} was interrupted`,
				),
			async endListedKernel(server, kernel, order) {
				const ended = kernel.isOfRepl ? get().endKernel(server) : undefined;
				await carryOut(
					server,
					`${kernelCalled(kernel)} was not ${DONE[order]}`,
					async live => {
						const came = await live.kernels[order](kernel.id);
						if (came.ok) ended?.();
						return came;
					},
					`${kernelCalled(kernel)} was ${DONE[order]}`,
				);
			},
		};
	};
