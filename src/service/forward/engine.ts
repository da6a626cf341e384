import type {Engine, SessionOptions} from '../../engines/engine.ts';
import type {Forward} from './forward.ts';

/**
 * Wraps an engine so that each session gets a forward address for its server's port, if one can be
 * opened.
 */
export const withForwards = (
	engine: Engine,
	openForward: (server: SessionOptions['server']) => Promise<Forward | null>,
): Engine => ({
	name: engine.name,
	close: () => engine.close(),
	async open(options) {
		const forward = await openForward(options.server);
		const session = await engine.open(options).catch(async (error: unknown) => {
			await forward?.close();
			throw error;
		});
		if (!forward) return session;
		return {
			...session,
			forward: forward.url,
			usedSince: async time => forward.usedSince(time) || (await session.usedSince?.(time)) === true,
			async close() {
				await Promise.all([forward.close(), session.close()]);
			},
		};
	},
});
