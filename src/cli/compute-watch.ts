import {filterCompute, type ComputeFilter} from '../query/filter.ts';
import {printQuery} from '../query/language.ts';
import {sortCompute} from '../query/sort.ts';
import {label} from '../text/safe.ts';
import {CommandError} from './command-error.ts';
import {filterOf, orderOf, type ComputeOptions} from './compute-options.ts';
import {catalogueOf, computeTable, warnNoSuchValue} from './compute.ts';
import type {Context} from './context.ts';
import {createPoller, spanText, type Poller} from './poller.ts';
import {printNotice, printResult} from './print.ts';
import {secondsOf} from './option-values.ts';

export type WatchOptions = ComputeOptions & {readonly every?: string; readonly timeout?: string};

const HELP = 'svc-tui compute watch';
const EVERY = 30;
/** Longest pause between two polls while the service does not respond, in ms. */
const LONGEST_PAUSE = 300_000;

/** Error after a timeout. It distinguishes between no available option and no response. */
const timeUp = ({hasSeen, outage}: Poller, wanted: string, limit: number): CommandError => {
	const span = spanText(limit);
	if (!hasSeen && outage)
		return new CommandError(
			'timeout',
			`The service returned no list of compute options within ${span}, so availability is unknown. ${outage.why}`,
			'Use a longer --timeout to keep trying.',
		);
	const silent = outage ? ` It has not responded for the last ${spanText(outage.lasted)}. ${outage.why}` : '';
	return new CommandError(
		'timeout',
		`No match for ${wanted} became available within ${span}${outage ? ', as far as the service responded' : ''}.${silent}`,
		'Try a wider filter or a longer --timeout.',
	);
};

/** Runs `compute watch`: waits until an option matches, then lists the matches like `compute`. */
export const watchCompute = async (context: Context, options: WatchOptions): Promise<void> => {
	const filter: ComputeFilter = {...filterOf(options), available: true};
	const {key, direction} = orderOf(options.sort) ?? {key: 'price', direction: 'ascending'};
	const table = computeTable(context, options);
	const every = secondsOf('--every', options.every, HELP) ?? EVERY * 1000;
	const limit = secondsOf('--timeout', options.timeout, HELP) ?? Infinity;
	const {client} = await context.connect();
	const poller = createPoller(context, {limit});
	const wanted = label(printQuery(filter), 300);
	let pause = every;
	for (;;) {
		const isFirst = !poller.hasSeen;
		const list = await poller.poll(signal => client.compute({signal}));
		if (list === undefined) pause = Math.min(pause * 2, Math.max(every, LONGEST_PAUSE));
		else {
			const all = catalogueOf(list);
			const rows = sortCompute(filterCompute(all.options, filter), key, direction);
			if (rows.length > 0) {
				return printResult(context, rows.map(all.rawOf), table(rows));
			}
			if (isFirst) {
				await warnNoSuchValue(context, all.options, filter);
				await printNotice(context, `Nothing available yet for ${wanted}; checking every ${every / 1000} s.`);
			}
			pause = every;
		}
		if (poller.isOver) throw timeUp(poller, wanted, limit);
		await poller.pause(pause);
	}
};
