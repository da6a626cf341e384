import {SHUT_DOWN, type Engine, type SessionOptions} from '../../engines/engine.ts';
import type {LiveKernel} from '../../engines/live-kernel.ts';
import type {EmulatedServer} from './emulated-server.ts';

/** Gives each session with an observable kernel the address of an emulated Jupyter Server. */
export const withEmulatedServers = (
	engine: Engine,
	openFace: (kernel: LiveKernel, options: SessionOptions) => Promise<EmulatedServer | null>,
): Engine => ({
	name: engine.name,
	close: () => engine.close(),
	async open(options) {
		const session = await engine.open(options);
		const {kernel} = session;
		const face = kernel
			? await openFace(kernel, options).catch(async (error: unknown) => {
					await session.close();
					throw error;
				})
			: null;
		if (!face) return session;
		return {
			...session,
			address: {url: face.url, token: face.token, page: null},
			ended: Promise.race([session.ended, face.shutDown.then(() => SHUT_DOWN)]),
			usedSince: async time => face.usedSince(time),
			async close() {
				await Promise.all([face.close(), session.close()]);
			},
		};
	},
});
