import type {Lookup} from '../../engines/engine.ts';
import {digestOf, type Files} from '../../engines/files.ts';
import {contentsFiles} from '../../engines/jupyter/contents-files.ts';
import {createKernelLookup} from '../../engines/jupyter/kernel-lookup.ts';
import {createKernelSessions, type KernelSessions} from '../../engines/jupyter/kernel-session.ts';
import {createRunQueue, type RunQueue} from '../run-queue.ts';

/** Our connections to one server behind the hub, opened with one key. Its kernels live on the server, not here. */
export type HubLink = {
	readonly kernels: KernelSessions;
	readonly lookup: Lookup;
	readonly files: Files;
	readonly queue: RunQueue;
};

export type HubLinks = {
	/** `url` ends with a slash. */
	of(url: string, key: string): HubLink;
	close(): Promise<void>;
};

const IDLE_MS = 5 * 60_000;

export const createHubLinks = ({
	maxWaiting,
	onFailure,
}: {
	/** Runs that may wait for one server. */ readonly maxWaiting: number;
	readonly onFailure: (error: unknown) => void;
}): HubLinks => {
	const links = new Map<
		string,
		{readonly link: HubLink; readonly close: () => Promise<void>; timer: NodeJS.Timeout | undefined}
	>();

	const rest = (id: string): void => {
		const entry = links.get(id);
		if (!entry) return;
		clearTimeout(entry.timer);
		entry.timer = setTimeout(() => {
			if (entry.link.queue.busy()) {
				rest(id);
				return;
			}
			links.delete(id);
			void entry.close();
		}, IDLE_MS).unref();
	};
	const open = (id: string, url: string, token: string): HubLink => {
		const address = {url, token};
		const kernels = createKernelSessions(address);
		const {close: closeLookup, ...lookup} = createKernelLookup(address);
		const link = {kernels, lookup, files: contentsFiles(address), queue: createRunQueue(maxWaiting)};
		links.set(id, {
			link,
			timer: undefined,
			async close() {
				kernels.close();
				await closeLookup().catch(onFailure);
			},
		});
		return link;
	};
	return {
		of(url, key) {
			const id = `${digestOf(key)} ${url}`;
			const link = links.get(id)?.link ?? open(id, url, key);
			rest(id);
			return link;
		},
		async close() {
			const all = [...links.values()];
			links.clear();
			for (const {timer} of all) clearTimeout(timer);
			await Promise.all(all.map(({close}) => close()));
		},
	};
};
