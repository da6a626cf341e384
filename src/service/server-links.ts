import {digestOf} from '../engines/files.ts';
import {contentsFiles} from '../engines/jupyter/contents-files.ts';
import {createKernelLookup} from '../engines/jupyter/kernel-lookup.ts';
import {createKernelSessions} from '../engines/jupyter/kernel-session.ts';
import type {JupyterAddress} from '../engines/jupyter/rest.ts';
import {createRunQueue} from './run-queue.ts';

const IDLE_MS = 5 * 60_000;

type LinkOptions = {
	readonly agentOf?: () => JupyterAddress['agent'];
	/** See {@link JupyterAddress}. */
	readonly mayBreak?: boolean;
};

/**
 * Connections to Jupyter Servers that the service did not start as child processes, by server and
 * token.
 */
export const createServerLinks = ({
	maxWaiting,
	onFailure,
}: {
	/** Maximum number of runs that wait in the queue of a server. */
	readonly maxWaiting: number;
	readonly onFailure: (error: unknown) => void;
}) => {
	const links = new Map<string, ReturnType<typeof open>>();

	const closeWhenIdle = (id: string): void => {
		const entry = links.get(id);
		if (!entry) return;
		clearTimeout(entry.timer);
		entry.timer = setTimeout(() => {
			if (entry.link.queue.busy()) {
				closeWhenIdle(id);
				return;
			}
			links.delete(id);
			void entry.close();
		}, IDLE_MS).unref();
	};
	const open = (url: string, token: string, {agentOf, mayBreak = false}: LinkOptions) => {
		const agent = agentOf?.();
		const address = {url, token, mayBreak, ...(agent && {agent})};
		const kernels = createKernelSessions(address);
		const {close: closeLookup, ...lookup} = createKernelLookup(address);
		const link = {kernels, lookup, files: contentsFiles(address), queue: createRunQueue(maxWaiting)};
		return {
			link,
			timer: undefined as NodeJS.Timeout | undefined,
			async close() {
				kernels.close();
				await closeLookup().catch(onFailure);
				agent?.destroy();
			},
		};
	};
	return {
		/**
		 * Connection to a server. `url` ends with a slash. The options apply only to a new
		 * connection.
		 */
		of(url: string, key: string, options: LinkOptions = {}) {
			const id = `${digestOf(key)} ${url}`;
			const entry = links.get(id) ?? open(url, key, options);
			links.set(id, entry);
			closeWhenIdle(id);
			return entry.link;
		},
		async drop(url: string, key: string): Promise<void> {
			const id = `${digestOf(key)} ${url}`;
			const entry = links.get(id);
			links.delete(id);
			clearTimeout(entry?.timer);
			await entry?.close();
		},
		async close(): Promise<void> {
			const all = [...links.values()];
			links.clear();
			for (const {timer} of all) clearTimeout(timer);
			await Promise.all(all.map(({close}) => close()));
		},
	};
};

export type ServerLinks = ReturnType<typeof createServerLinks>;
export type ServerLink = ReturnType<ServerLinks['of']>;
