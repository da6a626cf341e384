import {setTimeout as sleep} from 'node:timers/promises';
import type {FailureKind} from '../api/failure.ts';
import {filterCompute, type ComputeFilter} from '../query/filter.ts';
import {printQuery} from '../query/language.ts';
import {sortCompute} from '../query/sort.ts';
import {label} from '../text/safe.ts';
import {CommandError, failed} from './command-error.ts';
import {filterOf, orderOf, type ComputeOptions} from './compute-options.ts';
import {catalogueOf, computeTable, noteUnknown} from './compute.ts';
import type {Context} from './context.ts';
import {printJson, printNote} from './print.ts';
import {secondsOf} from './seconds.ts';

export type WatchOptions = ComputeOptions & {readonly every?: string; readonly timeout?: string};

const HELP = 'svc-tui compute watch';
const EVERY = 30;
/** What passes by itself: the watch goes on, with longer pauses. */
const PASSING: ReadonlySet<FailureKind> = new Set(['timeout', 'unreachable', 'connection-lost', 'rate-limited', 'server']);
const LONGEST_PAUSE = 300_000;

/** `compute watch`: ends with 0 once something that passes can be had, which it lists as `compute` does. */
export const watchCompute = async (context: Context, options: WatchOptions): Promise<number> => {
	const filter: ComputeFilter = {...filterOf(options), available: true};
	const {key, direction} = orderOf(options.sort) ?? {key: 'price', direction: 'ascending'};
	const every = secondsOf('--every', options.every, HELP) ?? EVERY * 1000;
	const limit = secondsOf('--timeout', options.timeout, HELP) ?? Infinity;
	const {client} = await context.connect();
	const began = Date.now();
	let pause = every;
	for (let look = 0; ; look++) {
		const reply = await client.compute({signal: context.signal});
		if (reply.ok) {
			const all = catalogueOf(reply.value);
			const rows = sortCompute(filterCompute(all.options, filter), key, direction);
			if (rows.length > 0) {
				if (context.json) await printJson(context, rows.map(all.rawOf));
				else await context.stdout.write(computeTable(rows, context.stdout.columns));
				return 0;
			}
			if (look === 0) {
				await noteUnknown(context, all.options, filter);
				await printNote(context, `Nothing yet for ${label(printQuery(filter), 300)}; looking every ${every / 1000} s.`);
			}
			pause = every;
		} else {
			if (!PASSING.has(reply.failure.kind)) throw failed(reply.failure);
			pause = Math.min(pause * 2, Math.max(every, LONGEST_PAUSE));
		}
		const left = began + limit - Date.now();
		if (left <= 0) throw new CommandError('timeout', `Nothing became available for ${label(printQuery(filter), 300)} within ${limit / 1000} s.`, 'A wider filter or a longer --timeout may find something.');
		await sleep(Math.min(pause, left), undefined, {signal: context.signal});
	}
};
