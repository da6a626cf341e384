import type {RemoteHosts} from '../remote/admin.ts';

/**
 * Body of a lease, open until the client or the service ends. Yields a line after servers on hosts
 * have changed, so that the client reads their list again.
 */
export async function* changeLines(
	remote: Pick<RemoteHosts, 'subscribe'> | null,
	signal: AbortSignal,
): AsyncGenerator<string> {
	let changed = Promise.withResolvers<void>();
	const end = remote?.subscribe(() => changed.resolve());
	signal.addEventListener('abort', () => changed.resolve(), {once: true});
	while (!signal.aborted) {
		await changed.promise;
		if (signal.aborted) break;
		changed = Promise.withResolvers();
		yield '\n';
	}
	end?.();
}
