import type {Load} from '../../api/client-types.ts';
import {bytesText} from '../core/components/age.ts';
import {changed, type ByServer} from '../core/store/by-server.ts';
import type {Slice} from '../core/program.ts';

export type LoadSlice = {
	/** What servers use that are watched now. */
	readonly loads: ByServer<Load | null>;
	/** Asks a server what it uses, again and again, over its link. Answers what ends it. */
	watchLoad(server: string): () => void;
};

/** Milliseconds: cells that are over sooner cost no question, and between two of them. */
const FIRST_MS = 1000;
const AGAIN_MS = 3000;

export const createLoadSlice = (): Slice<LoadSlice> => (set, get) => {
	const show = (server: string, load: Load | null): void =>
		set({loads: changed<Load | null>(get().loads, server, null, () => load)});
	return {
		loads: new Map(),
		watchLoad(server) {
			let isOver = false;
			let timer: NodeJS.Timeout;
			const look = async (): Promise<void> => {
				const load = (await (await get().addressLink(server))?.load()) ?? null;
				if (isOver) return;
				show(server, load);
				plan(AGAIN_MS);
			};
			const plan = (pause: number): void => {
				timer = setTimeout(() => void look(), pause).unref();
			};
			plan(FIRST_MS);
			return () => {
				isOver = true;
				clearTimeout(timer);
				if (get().loads.get(server)) show(server, null);
			};
		},
	};
};

/** `412.0 M, 98 % CPU`, as far as that is known; empty where nothing is. */
export const loadWords = ({memory, memoryLimit, cpu}: Load): string =>
	[
		...(memory === null
			? []
			: [`${bytesText(memory)}${memoryLimit === null ? '' : ` of ${bytesText(memoryLimit)}`}`]),
		...(cpu === null ? [] : [`${Math.round(cpu)} % CPU`]),
	].join(', ');
