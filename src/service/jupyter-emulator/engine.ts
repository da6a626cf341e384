import {SHUT_DOWN, type Engine, type SessionOptions} from '../../engines/engine.ts';
import type {LiveKernel, OwnKernel} from '../../engines/live-kernel.ts';
import type {EmulatedServer} from './emulated-server.ts';

/**
 * Wraps an engine so that each session with an observable kernel has the address of an emulated
 * Jupyter Server.
 */
export const withEmulatedServers = (
	engine: Engine,
	openEmulated: (
		kernels: {readonly kernel: LiveKernel; readonly startKernel: (() => Promise<OwnKernel>) | null},
		options: SessionOptions,
	) => Promise<EmulatedServer | null>,
): Engine => ({
	name: engine.name,
	close: () => engine.close(),
	async open(options) {
		const session = await engine.open(options);
		const {kernel} = session;
		const emulated = kernel
			? await openEmulated({kernel, startKernel: session.startKernel ?? null}, options).catch(
					async (error: unknown) => {
						await session.close();
						throw error;
					},
				)
			: null;
		if (!emulated) return session;
		return {
			...session,
			address: {url: emulated.url, token: emulated.token, page: null},
			ended: Promise.race([session.ended, emulated.shutDown.then(() => SHUT_DOWN)]),
			usedSince: async time => emulated.usedSince(time),
			hasKernel: async () => emulated.hasState(),
			async close() {
				await Promise.all([emulated.close(), session.close()]);
			},
		};
	},
});
