import market from '../../src/service/catalogue/offers.json' with {type: 'json'};
import {startHostileService, success, type HostileService} from '../faults/hostile-service.ts';

export type Offer = {
	readonly name: string;
	readonly cloud_host: string;
	readonly compute_id?: string;
	readonly cpus: number;
	readonly memory: string;
	readonly num_gpus: number;
	readonly vram_per_gpu: string;
	readonly total_vram: string;
	readonly hourly_price: number;
	readonly availability: readonly {readonly available: boolean; readonly region: string}[];
};

/**
 * The real market of April 2024 with its availability at the time, and a machine of the service's
 * own.
 */
export const MARKET: readonly Offer[] = [
	{
		name: 'Medium CPU',
		cloud_host: 'svc',
		cpus: 2,
		memory: '8G',
		num_gpus: 0,
		vram_per_gpu: '0G',
		total_vram: '0G',
		hourly_price: 0.1,
		availability: [{available: true, region: 'default'}],
	},
	...market.compute,
];

export const offers = (list: readonly Offer[]) => () => success({compute: list});

/** A service with the real market, whose offers can be rented, and without servers. */
export const startMarketService = (list: readonly Offer[] = MARKET): Promise<HostileService> =>
	startHostileService({compute: offers(list), servers: () => success({servers: []})});

/** `count` different offers of 20 regions each, made from the market's. */
export const manyOffers = (count: number): readonly Offer[] =>
	Array.from({length: count}, (_, index): Offer => {
		const like = MARKET[index % MARKET.length] ?? MARKET[0]!;
		return {
			...like,
			compute_id: `${like.compute_id ?? 'svc-medium'}-${index}`,
			hourly_price: Number((like.hourly_price * (1 + index / count)).toFixed(2)),
			availability: Array.from({length: 20}, (__, region) => ({
				available: (index * region) % 3 === 1,
				region: `region-${(index + region) % 60}`,
			})),
		};
	});
