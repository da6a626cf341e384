import type {ComputeOption} from '../../contract/compute.ts';
import type {ServerItem} from '../../contract/servers.ts';
import {filterCompute} from '../../query/filter.ts';
import {computeIdOf, gpuModel} from '../../query/option.ts';
import {COMPUTE_SORT_KEYS, sortCompute} from '../../query/sort.ts';
import {knownNumber} from '../../text/known.ts';
import {valueOf} from '../command-error.ts';
import {warnNoSuchValue} from '../compute.ts';
import {filterOf, orderOf} from '../compute-options.ts';
import {warnUnreadable} from '../print.ts';
import {offersNow, ratesOf} from '../costs/rates.ts';
import * as z from './sdk.ts';
import {tool, type Tool} from './tool.ts';

/** Default number of options in a result. */
const SHOWN = 40;

/** The text, or null if the service left it empty. */
const said = (text: string): string | null => (text === '' ? null : text);
const saidText = z.string().nullable();
const count = z.number().nullable();

const serverRow = z.object({
	name: z.string(),
	status: saidText.describe('ready and offline are documented; a service may have others, such as starting'),
	environment: saidText,
	compute: saidText,
	hourly_rate: count.describe('Price per hour while it runs; null if unknown, as in a state of unknown cost'),
	port: count,
	reason: z.string().optional().describe('Reason why it went offline'),
});

const listServers = tool({
	name: 'list_servers',
	title: 'List servers',
	description:
		"Lists the user's notebook servers with state, environment, compute option and price per hour.",
	needs: [],
	hints: {readOnly: true, idempotent: true},
	input: z.strictObject({}),
	output: z.object({servers: z.array(serverRow)}),
	async run({context, service}) {
		const {signal} = context;
		const [reply, offers] = await Promise.all([service.client.servers({signal}), offersNow(service, signal)]);
		const {items, unreadable} = valueOf(reply);
		const rateOf = ratesOf(context, items, offers);
		await warnUnreadable(context, unreadable);
		const row = (server: ServerItem): z.infer<typeof serverRow> => ({
			name: server.name,
			status: said(server.status),
			environment: said(server.environment),
			compute: said(server.server_request),
			hourly_rate: rateOf(server) ?? null,
			port: server.port,
			...(typeof server['status_reason'] === 'string' && {reason: server['status_reason']}),
		});
		return {value: {servers: items.map(row)}};
	},
});

const computeRow = z.object({
	compute: z.string().describe('Id to pass to create_server'),
	name: z.string(),
	gpu: saidText.describe('GPU model; null if none'),
	gpus: count,
	vram_per_gpu: saidText,
	total_vram: saidText,
	cpus: count,
	memory: saidText,
	hourly_price: count.describe('null if unknown'),
	available_in: z.array(z.string()).describe('Regions in which it is available now'),
	not_available_in: z.array(z.string()),
	host: saidText,
});

const rowOfCompute = (option: ComputeOption): z.infer<typeof computeRow> => {
	const regions = (available: boolean): string[] =>
		option.availability.filter(each => each.available === available).map(each => each.region);
	const hasGpu = option.num_gpus !== 0;
	return {
		compute: computeIdOf(option).id,
		name: option.name,
		gpu: hasGpu ? gpuModel(option) : null,
		gpus: knownNumber(option.num_gpus),
		vram_per_gpu: hasGpu ? said(option.vram_per_gpu) : null,
		total_vram: hasGpu ? said(option.total_vram) : null,
		cpus: knownNumber(option.cpus),
		memory: said(option.memory),
		hourly_price: knownNumber(option.hourly_price),
		available_in: regions(true),
		not_available_in: regions(false),
		host: said(option.cloud_host),
	};
};

const listCompute = tool({
	name: 'list_compute',
	title: 'List compute',
	description:
		"Lists compute options with price per hour, GPUs and available regions. Filters are combined with AND. Unsorted results keep the service's order.",
	needs: [],
	hints: {readOnly: true, idempotent: true},
	input: z.strictObject({
		query: z
			.string()
			.optional()
			.describe(
				'The filter as one query: gpu:h100 n>=2 vram>=80 price<6 region:eu* avail cpu; other words match name, id, host, or the start of a region, country or continent',
			),
		gpu: z
			.string()
			.optional()
			.describe('GPU model, full name, case-insensitive: A100 does not match "A100 80G"'),
		min_gpus: z.int().min(0).optional(),
		min_vram: z.number().min(0).optional().describe('Gigabytes per GPU'),
		max_price: z.number().min(0).optional().describe('Per hour'),
		region: z.array(z.string()).optional().describe('Any of these region names (exact match)'),
		host: z.string().optional(),
		available: z.boolean().optional().describe('Only options that are available now'),
		cpu_only: z.boolean().optional(),
		sort: z.enum(COMPUTE_SORT_KEYS).optional(),
		descending: z.boolean().optional(),
		limit: z.int().min(1).max(500).default(SHOWN),
	}),
	output: z.object({
		matching: z.int().describe('Number of matching options; only the first ones are listed'),
		offered: z.int(),
		options: z.array(computeRow),
	}),
	async run({context, service}, given) {
		const {min_gpus, min_vram, max_price, cpu_only, sort, descending = false, limit, ...same} = given;
		const text = (value: number | undefined): string | undefined => value?.toString();
		const filter = filterOf({
			...(same as object),
			minGpus: text(min_gpus),
			minVram: text(min_vram),
			maxPrice: text(max_price),
			cpuOnly: cpu_only,
		} as Parameters<typeof filterOf>[0]);
		const order = orderOf(sort && (descending ? `-${sort}` : sort));
		const {items, unreadable} = valueOf(await service.client.compute({signal: context.signal}));
		const passing = filterCompute(items, filter);
		const rows = order ? sortCompute(passing, order.key, order.direction) : passing;
		await warnNoSuchValue(context, items, filter);
		await warnUnreadable(context, unreadable);
		return {
			value: {matching: rows.length, offered: items.length, options: rows.slice(0, limit).map(rowOfCompute)},
		};
	},
});

const listEnvironments = tool({
	name: 'list_environments',
	title: 'List environments',
	description: 'Lists environments (the software installed on a server).',
	needs: [],
	hints: {readOnly: true, idempotent: true},
	input: z.strictObject({}),
	output: z.object({
		environments: z.array(z.object({environment: z.string(), name: saidText, description: saidText})),
	}),
	async run({context, service}) {
		const {items, unreadable} = valueOf(await service.client.environments({signal: context.signal}));
		await warnUnreadable(context, unreadable);
		return {
			value: {
				environments: items.map(({environment_id, name, description}) => ({
					environment: environment_id,
					name: said(name),
					description: said(description),
				})),
			},
		};
	},
});

export const LIST_TOOLS: readonly Tool[] = [listServers, listCompute, listEnvironments];
