import {filterCompute, NO_FILTER} from '../../query/filter.ts';
import {sortCompute} from '../../query/sort.ts';
import {perHour} from '../../text/money.ts';
import {label} from '../../text/safe.ts';
import type {State} from '../core/program.ts';
import type {ComputeOption} from '../../contract/compute.ts';
import {part, type App} from '../core/app.ts';
import {catalogue} from './catalogue.ts';
import {notices} from '../core/store/notices.ts';

/** Watch for a machine with `count` GPUs of a model. Empty `regions`: in any region. */
export type Watch = {readonly model: string; readonly count: number; readonly regions: readonly string[]};

export type ComputeWatchState = {readonly watches: readonly Watch[]};

export type ComputeWatch = {
	/** Starts or ends a watch, which reloads the catalogue until an option is available. */
	toggleWatch(watch: Watch): void;
	/** Notifies the user of available options, and ends their watches. */
	noticeAvailable(): void;
};

const EVERY = 30_000;
const LONGEST = 300_000;

export const isSameWatch = (one: Watch, other: Watch): boolean =>
	one.model === other.model &&
	one.count === other.count &&
	one.regions.join('\n') === other.regions.join('\n');

export const watchText = ({model, count, regions}: Watch): string =>
	`${count === 1 ? '' : `${count} × `}${label(model, 40)} in ${regions.length === 0 ? 'any region' : regions.map(region => label(region, 24)).join(' or ')}`;

/** Cheapest available machine that fits the watch. */
const bestFor = (
	{compute}: Pick<State, 'compute'>,
	{model: gpu, count, regions}: Watch,
): ComputeOption | undefined =>
	sortCompute(
		filterCompute(compute.value?.items ?? [], {...NO_FILTER, gpu, regions, available: true}).filter(
			({num_gpus: gpus}) => gpus === count,
		),
		'price',
	)[0];

const firstComputeWatch = (): ComputeWatchState => ({watches: []});

export const computeWatch = part(
	'computeWatch',
	({get, set, subscribe}: App): ComputeWatch => {
		let timer: NodeJS.Timeout | undefined;
		let pause = EVERY;
		const poll = (): void => {
			clearTimeout(timer);
			if (get().watches.length === 0) return;
			timer = setTimeout(() => {
				// Polling ends if the service rejects the API key.
				if (get().compute.failure?.kind === 'auth') return;
				void catalogue(get)
					.refreshCompute()
					.then(() => {
						pause = get().compute.status === 'failed' ? Math.min(pause * 2, LONGEST) : EVERY;
						poll();
					});
			}, pause).unref();
		};
		const noticeAvailable = (): void => {
			const {watches, compute} = get();
			if (compute.status !== 'ready' || watches.length === 0) return;
			const found = watches.flatMap(watch => {
				const best = bestFor(get(), watch);
				return best ? [{watch, best}] : [];
			});
			if (found.length === 0) return;
			set({watches: watches.filter(watch => !found.some(each => each.watch === watch))});
			for (const {watch, best} of found)
				notices(get).notify(
					'good',
					`${watchText(watch)} is available now: ${label(best.name, 40)}, ${perHour(best.hourly_price)}, ${label(best.cloud_host, 24)}`,
					state => bestFor(state, watch) !== undefined,
				);
		};
		subscribe(({compute}, before) => {
			if (compute !== before.compute) noticeAvailable();
			if (before.compute.failure?.kind === 'auth' && compute.failure?.kind !== 'auth') poll();
		});
		return {
			noticeAvailable,
			toggleWatch(watch) {
				const {watches} = get();
				const others = watches.filter(each => !isSameWatch(each, watch));
				set({watches: others.length < watches.length ? others : [...watches, watch]});
				poll();
			},
		};
	},
	firstComputeWatch,
);
