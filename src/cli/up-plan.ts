import {relative} from 'node:path';
import type {ComputeOption} from '../contract/compute.ts';
import {isStartedState} from '../text/server-states.ts';
import type {ServerItem} from '../contract/servers.ts';
import {filterCompute, type ComputeFilter} from '../query/filter.ts';
import {offerOf} from '../query/offers.ts';
import {computeIdOf} from '../query/option.ts';
import {knownText, numberText} from '../text/known.ts';
import {joinNames} from '../text/join-names.ts';
import {perHour} from '../text/money.ts';
import {label} from '../text/safe.ts';
import {cheapestOffer, offerText} from './cheapest.ts';
import {CommandError, usageError, valueOf} from './command-error.ts';
import {warnNoSuchValue} from './compute.ts';
import type {Context, Service} from './context.ts';
import {printNotice, printResult} from './print.ts';
import {ratesOf} from './costs/rates.ts';
import type {Recipe} from './recipe.ts';
import type {Upload} from './up-files.ts';

/** Plan for the server. `option`: compute option to rent. Null if the server is used as is. */
export type Plan = {readonly existing: ServerItem | undefined; readonly option: ComputeOption | null};

export const planOf = async (
	context: Context,
	{client}: Service,
	{server, environment, fault}: Recipe,
	filter: ComputeFilter,
): Promise<Plan> => {
	const {signal} = context;
	const [servers, compute, environments] = await Promise.all([
		client.servers({signal}),
		client.compute({signal}),
		client.environments({signal}),
	]);
	const existing = valueOf(servers).items.find(({name}) => name === server);
	const {items} = valueOf(compute);
	if (existing && isStartedState(existing.status)) {
		const offer = offerOf(existing.server_request, items);
		const fits = offer !== undefined && filterCompute(items, {...filter, available: false}).includes(offer);
		const state =
			existing.status === 'ready' ? 'already ready' : `already there (${label(existing.status, 20)})`;
		const rate = ratesOf(context, [existing], items)(existing);
		const price = offer || rate !== undefined ? `, ${perHour(rate)}` : '';
		await printNotice(
			context,
			`${label(server, 60)} is ${state}, on ${label(existing.server_request, 60)}${price}. It is used as is${fits ? '' : ', although the recipe asks for another compute option'}.`,
		);
		return {existing, option: null};
	}
	const known = valueOf(environments).items.map(each => each.environment_id);
	if (known.length > 0 && !known.includes(environment))
		throw fault(
			['environment'],
			`There is no environment ${label(environment, 60)}; the environments are ${joinNames(known)}.`,
			'Correct it and try again; nothing was done.',
		);
	try {
		return {existing, option: cheapestOffer(items, filter)};
	} catch (error) {
		await warnNoSuchValue(context, items, filter);
		throw error;
	}
};

const describe = (option: ComputeOption): string => {
	const {num_gpus: count, name, vram_per_gpu: vram, cpus, memory, availability} = option;
	const regions = availability.filter(({available}) => available).map(({region}) => region);
	const parts = [
		label(name, 60),
		...(count !== 0 ? [`${label(knownText(vram), 12)} per GPU`] : []),
		`${numberText(cpus)} ${cpus === 1 ? 'CPU' : 'CPUs'}`,
		label(knownText(memory), 12),
	];
	return `${offerText(option)} (${parts.join(', ')}; ${joinNames(regions, 3)})`;
};

const nothingDone = (message: string): CommandError => new CommandError('cancelled', message, '');

/**
 * Asks until the user has agreed to the current plan. Prices may change between question and
 * answer.
 */
export const confirmPlan = async (
	context: Context,
	service: Service,
	recipe: Recipe,
	filter: ComputeFilter,
	first: Plan,
	{yes}: {readonly yes?: boolean},
): Promise<Plan> => {
	const name = label(recipe.server, 60);
	for (let plan = first; ;) {
		const {existing, option} = plan;
		if (option === null) return plan;
		const verb = existing ? 'Start' : 'Create';
		const price = perHour(option.hourly_price);
		const {id} = computeIdOf(option);
		const regions = filter.regions.map(region => label(region, 40)).join(' or ');
		const choice = ` It is available in ${regions}, but the service chooses the region.`;
		await printNotice(
			context,
			`The cheapest available match: ${describe(option)}.${regions === '' ? '' : choice}`,
		);
		if (yes) return plan;
		if (context.ask === undefined)
			throw usageError(
				`${existing ? 'Starting' : 'Creating'} ${name} on ${label(id, 60)} costs ${price}; confirmation needs a terminal.`,
				'Accept with --yes, and set a limit with --max-price; --dry-run only shows what would be done.',
			);
		const answer = await context
			.ask(`${verb} ${name} on it for ${price}? Type y for yes: `, {masked: false})
			.catch((error: unknown) => {
				const isStopped = error instanceof CommandError && error.code === 'cancelled';
				throw isStopped ? nothingDone('Stopped: nothing was done.') : error;
			});
		if (!/^y(?:es)?$/i.test(answer.trim())) throw nothingDone('Not confirmed: nothing was done.');
		const now = await planOf(context, service, recipe, filter);
		if (
			now.option === null ||
			(computeIdOf(now.option).id === id && Object.is(now.option.hourly_price, option.hourly_price))
		)
			return now;
		await printNotice(context, 'The catalogue changed after the question.');
		plan = now;
	}
};

export const showPlan = (
	context: Context,
	{server, run}: Recipe,
	{existing, option}: Plan,
	uploads: readonly Upload[],
	folder: string,
): Promise<void> => {
	const action = option === null ? 'use' : existing ? 'start' : 'create';
	const what =
		option === null ? 'used as is' : `${action === 'start' ? 'started' : 'created'} on ${describe(option)}`;
	const lines = [
		`${label(server, 60)} would be ${what}`,
		...uploads.map(
			({file, path, bytes}) =>
				`${label(relative(folder, file), 200)} would be uploaded as ${label(path, 200)}, ${bytes.toLocaleString('en')} bytes`,
		),
		...(run === null ? [] : ['The warm-up code would run']),
	];
	return printResult(
		context,
		{
			dry_run: true,
			server_name: server,
			action,
			server_request: option === null ? (existing?.server_request ?? null) : computeIdOf(option).id,
			hourly_price: option?.hourly_price ?? null,
			uploads: uploads.map(({path, bytes}) => ({path, bytes})),
			run,
		},
		lines.map(line => `${line}\n`).join(''),
	);
};
