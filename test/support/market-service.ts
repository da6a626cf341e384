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
 * The real market of April 2024 with the availability at that time, and a machine that belongs to
 * the service.
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

/** Starts a service without servers that offers the real market. */
export const startMarketService = (list: readonly Offer[] = MARKET): Promise<HostileService> =>
	startHostileService({compute: offers(list), servers: () => success({servers: []})});

/** Makes `count` different offers with 20 regions each from those of the market. */
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
