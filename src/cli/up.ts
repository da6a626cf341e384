import {dirname} from 'node:path';
import type {ExecutedCell} from '../contract/cells.ts';
import type {ComputeOption} from '../contract/compute.ts';
import {DEFAULT_PORT} from '../contract/names.ts';
import {isOver, isUp} from '../text/server-states.ts';
import type {ComputeFilter} from '../query/filter.ts';
import {computeIdOf} from '../query/option.ts';
import {joined} from '../text/exact-json.ts';
import {knownNumber} from '../text/known.ts';
import {label} from '../text/safe.ts';
import {exitOfCell, printOutputs, stoppedCode} from './run/cell-text.ts';
import {CommandError, failed, valueOf} from './command-error.ts';
import type {Context, Service} from './context.ts';
import {readText} from './input.ts';
import {printLifetimeNotice} from './on-server.ts';
import {priceOf, secondsOf} from './option-values.ts';
import {printJson, printNotice} from './print.ts';
import {rateMismatchText, rent} from './costs/rates.ts';
import {parseRecipe, type Recipe} from './recipe.ts';
import {listedFields, stateLine} from './servers.ts';
import {untilReady} from './until-ready.ts';
import {uploadAll, uploadsOf} from './up-files.ts';
import {confirmPlan, planOf, showPlan, type Plan} from './up-plan.ts';

export type UpOptions = {
	readonly yes?: boolean;
	readonly dryRun?: boolean;
	readonly maxPrice?: string;
	readonly timeout?: string;
};

const HELP = 'svc-tui up';

/** Filter with the lower of two price limits. */
const limited = (filter: ComputeFilter, price: number | undefined): ComputeFilter =>
	price === undefined || (filter.maxPrice && filter.maxPrice.amount <= price)
		? filter
		: {...filter, maxPrice: {amount: price, inclusive: true}};

/**
 * Sends create or start once. Returns the rate that the service reports. Null if the response was
 * lost, or another program was faster.
 */
const launch = async (
	context: Context,
	service: Service,
	{server, environment, port, run}: Recipe,
	{existing}: Plan,
	option: ComputeOption,
): Promise<number | null> => {
	const name = label(server, 60);
	const settings = {
		environment,
		port: port ?? existing?.port ?? DEFAULT_PORT,
		server_request: computeIdOf(option).id,
	};
	const quoted = knownNumber(option.hourly_price);
	const reply = await rent(context, service, server, settings, {isThere: existing !== undefined, quoted});
	if (reply.ok) {
		await printLifetimeNotice(context, service, server, {runsCode: run !== null});
		await printNotice(context, `${name} was ${existing ? 'started' : 'created'}.`);
		return reply.value.hourly_rate;
	}
	const {failure} = reply;
	if (failure.kind === 'conflict') {
		const list = valueOf(await service.client.servers({signal: context.signal}));
		const now = list.items.find(item => item.name === server);
		if (now && !isOver(now.status)) {
			await printNotice(
				context,
				`${name} was ${existing ? 'started' : 'created'} by another program in the meantime, on ${label(now.server_request, 60)}.`,
			);
			return null;
		}
	}
	if (!failure.ambiguous) throw failed(failure);
	await printNotice(
		context,
		`${label(failure.message, 300)} The list shows whether ${name} was ${existing ? 'started' : 'created'}; nothing is sent twice.`,
	);
	return null;
};

const warmUp = async (
	context: Context,
	{client, isLocal}: Service,
	{server, run, kernel}: Recipe,
): Promise<ExecutedCell | null> => {
	if (run === null) return null;
	await printNotice(context, 'Running the warm-up code.');
	const reply = await client.runCode(server, {code: run, kernel_name: kernel}, {signal: context.signal});
	if (!reply.ok) throw reply.failure.kind === 'cancelled' ? stoppedCode(isLocal) : failed(reply.failure);
	return reply.value;
};

/**
 * Runs `up`: creates a server from a recipe. A second run uses the existing server, and uploads
 * only files that differ.
 */
export const up = async (context: Context, file: string, options: UpOptions): Promise<number | void> => {
	const limit = secondsOf('--timeout', options.timeout, HELP);
	const maxPrice = priceOf(options.maxPrice, `${HELP} --help shows how.`);
	const recipe = parseRecipe(await readText(file), file);
	const {server} = recipe;
	const folder = dirname(file);
	const uploads = await uploadsOf(recipe, folder);
	const filter = limited(recipe.compute, maxPrice);
	const service = await context.connect();
	const first = await planOf(context, service, recipe, filter);
	if (options.dryRun) return showPlan(context, recipe, first, uploads, folder);
	const plan = await confirmPlan(context, service, recipe, filter, first, options);
	const {existing, option} = plan;
	const rate = option === null ? null : await launch(context, service, recipe, plan, option);
	const quoted = option === null ? null : knownNumber(option.hourly_price);
	if (quoted !== null && rate !== null && rate !== quoted && maxPrice !== undefined && rate > maxPrice)
		throw new CommandError(
			'price',
			`${rateMismatchText(server, quoted, rate)}. That is above --max-price ${maxPrice}, so nothing more was done.`,
			`The server is running and costs money. ${context.typed('server', 'open', server)} opens its page, where it can be stopped. To continue, run the same command with a higher --max-price.`,
		);
	const ready = await untilReady(context, service, server, {limit});
	if (existing === undefined || !isUp(existing.status))
		await printNotice(context, `${label(server, 60)} is ${label(ready.status, 40)}.`);
	const isNew = existing === undefined && rate !== null;
	const goesOn = context.typed('up', file);
	const files = await uploadAll(context, service, server, uploads, {isNew, goesOn});
	const cell = await warmUp(context, service, recipe);
	const rated = rate === null ? {} : {hourly_rate: rate};
	if (context.json) {
		const done = option === null || rate === null ? 'used' : existing ? 'started' : 'created';
		await printJson(context, joined(listedFields(ready), {...rated, done, ...files, cell}));
	} else {
		if (cell) await printOutputs(context, cell);
		await context.stdout.write(stateLine({...ready, ...rated}, ready.status));
	}
	return cell ? exitOfCell(cell) : 0;
};
