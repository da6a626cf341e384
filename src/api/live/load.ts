import * as z from 'zod';
import type {GpuLoad, Load} from '../client-types.ts';
import type {Rest} from './rest.ts';

const amount = z.number().nonnegative().nullish().catch(null);
/**
 * Metrics of jupyter-resource-usage. Our own servers send the same, and also report each kernel.
 */
const metrics = z.object({
	rss: amount,
	/** Memory in which shared memory is counted once. */
	pss: amount,
	limits: z
		.object({memory: z.object({rss: amount}).nullish().catch(null)})
		.nullish()
		.catch(null),
	cpu_percent: amount,
	gpus: z
		.array(z.object({percent: amount, memory: amount, memory_limit: amount}))
		.nullish()
		.catch(null),
	kernels: z.record(z.string(), z.number()).nullish().catch(null),
});

type Gpus = NonNullable<z.infer<typeof metrics>['gpus']>;

/** Sum of a value over all GPUs. Null if it is unknown for one of them. */
const sumOf = (gpus: Gpus, field: keyof Gpus[number]): number | null =>
	gpus.reduce<number | null>((sum, {[field]: one}) => (sum === null || one == null ? null : sum + one), 0);

const gpuLoad = (gpus: Gpus | null | undefined): GpuLoad | null => {
	if (!gpus || gpus.length === 0) return null;
	const percent = sumOf(gpus, 'percent');
	return {
		count: gpus.length,
		percent: percent === null ? null : percent / gpus.length,
		memory: sumOf(gpus, 'memory'),
		memoryLimit: sumOf(gpus, 'memory_limit'),
	};
};

/** Time limit in ms. Load is shown beside other data, which must not wait longer for it. */
const LIMIT_MS = 2000;

/**
 * Returns a function that reads the resource usage of a server. A server without this function gets
 * only one request.
 */
export const createLoad = (rest: Rest): (() => Promise<Load | null>) => {
	let tells = true;
	return async () => {
		if (!tells) return null;
		// Does not count as activity, because watching must not keep a server running that shuts
		// down when idle.
		const answer = await rest('GET', 'metrics/v1?no_track_activity=1', undefined, LIMIT_MS);
		if (answer === null) return null;
		const {data} = metrics.safeParse(answer.status === 200 ? answer.json : undefined);
		tells = data !== undefined || ![200, 404, 405].includes(answer.status);
		return data === undefined
			? null
			: {
					memory: data.pss ?? data.rss ?? null,
					memoryLimit: data.limits?.memory?.rss ?? null,
					cpu: data.cpu_percent ?? null,
					gpu: gpuLoad(data.gpus),
					kernels: new Map(Object.entries(data.kernels ?? {})),
				};
	};
};
