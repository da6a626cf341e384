import type {Load} from '../../api/client-types.ts';
import {UNKNOWN} from '../../text/known.ts';
import {bytesText} from '../../text/size.ts';
import {changed, type ByServer} from '../core/store/by-server.ts';
import {part, type App} from '../core/app.ts';
import {serverLinks} from './links.ts';

export type LoadState = {
	/** Resource use of the servers that are being polled; null if unknown. */
	readonly loads: ByServer<Load | null>;
};

export type ServerLoad = {
	/**
	 * Polls a server's resource use; all watchers share the requests. Returns a function that stops
	 * the watching.
	 */
	watchLoad(server: string): () => void;
};

/**
 * Delay before the first poll, so that short cells cause none, and delay between two polls, in ms.
 */
const FIRST_MS = 1000;
const AGAIN_MS = 3000;

const firstLoad = (): LoadState => ({loads: new Map()});

export const serverLoad = part(
	'serverLoad',
	({get, set}: App): ServerLoad => {
		/** Number of watchers of each server, and the function that stops its polling. */
		const watches = new Map<string, {watchers: number; readonly end: () => void}>();
		const show = (server: string, load: Load | null): void =>
			set({loads: changed<Load | null>(get().loads, server, null, () => load)});
		const begin = (server: string): (() => void) => {
			let isOver = false;
			let timer: NodeJS.Timeout;
			const poll = async (): Promise<void> => {
				const load = (await (await serverLinks(get).addressLink(server))?.load()) ?? null;
				if (isOver) return;
				show(server, load);
				plan(AGAIN_MS);
			};
			const plan = (pause: number): void => {
				timer = setTimeout(() => void poll(), pause).unref();
			};
			plan(FIRST_MS);
			return () => {
				isOver = true;
				clearTimeout(timer);
				if (get().loads.get(server)) show(server, null);
			};
		};
		return {
			watchLoad(server) {
				const watch = watches.get(server) ?? {watchers: 0, end: begin(server)};
				watches.set(server, watch);
				watch.watchers++;
				return () => {
					watch.watchers--;
					if (watch.watchers > 0) return;
					watches.delete(server);
					watch.end();
				};
			},
		};
	},
	firstLoad,
);

const ofMost = (bytes: number, most: number | null): string =>
	`${bytesText(bytes)}${most === null ? '' : ` of ${bytesText(most)}`}`;

/**
 * The known values as text: `412.0 M, 98 % CPU, 87 % GPU 3.1 G of 24.0 G`. Empty if none is known.
 */
export const loadText = ({memory, memoryLimit, cpu, gpu}: Load): string =>
	[
		...(memory === null ? [] : [ofMost(memory, memoryLimit)]),
		...(cpu === null ? [] : [`${Math.round(cpu)} % CPU`]),
		...(gpu === null
			? []
			: [
					`${gpu.percent === null ? UNKNOWN : Math.round(gpu.percent)} % ${gpu.count === 1 ? 'GPU' : `of ${gpu.count} GPUs`}${gpu.memory === null ? '' : ` ${ofMost(gpu.memory, gpu.memoryLimit)}`}`,
				]),
	].join(', ');
