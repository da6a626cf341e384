import type {RemoteHosts} from '../remote/admin.ts';

/**
 * Response body of a lease. It ends when the client disconnects or the service ends. Yields a line
 * when servers on remote hosts have changed, so that the client loads the list again.
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
