import {basename, dirname, relative, resolve} from 'node:path';
import {isThere, sendBytes} from '../api/file-bytes.ts';
import type {Failure} from '../api/failure.ts';
import type {ExecutedCell} from '../contract/cells.ts';
import type {ComputeOption} from '../contract/compute.ts';
import {DEFAULT_PORT} from '../contract/names.ts';
import type {ServerItem} from '../contract/servers.ts';
import {filterCompute, type ComputeFilter} from '../query/filter.ts';
import {offerOf} from '../query/offers.ts';
import {computeIdOf} from '../query/option.ts';
import {LocalFileError, localFiles, localPath, readLocal} from '../state/local-file.ts';
import {perHour} from '../text/money.ts';
import {label} from '../text/safe.ts';
import {exitOfCell, printOutputs, stoppedCode} from './cells.ts';
import {cheapestOffer} from './cheapest.ts';
import {CommandError, failed, usageError, valueOf} from './command-error.ts';
import {amount} from './compute-options.ts';
import {noteUnknown} from './compute.ts';
import type {Context, Service} from './context.ts';
import {isSeveral, serverPath} from './files.ts';
import {readText} from './input.ts';
import {localFailed} from './local-failed.ts';
import {noteEnd} from './on-server.ts';
import {printJson, printNote} from './print.ts';
import {keepRate, otherRate} from './rates.ts';
import {parseRecipe, type Recipe} from './recipe.ts';
import {secondsOf} from './seconds.ts';
import {stateLine} from './servers.ts';
import {untilReady} from './until-ready.ts';
import {knownNumber, knownText, numberText} from '../text/known.ts';

export type UpOptions = {
	readonly yes?: boolean;
	readonly dryRun?: boolean;
	readonly maxPrice?: string;
	readonly timeout?: string;
};

const HELP = 'svc-tui up';

type Upload = {readonly file: string; readonly path: string; readonly bytes: number};

/** Every file that will be sent, so that a path that leads nowhere is told before anything costs money. */
const uploadsOf = async ({files, fault}: Recipe, folder: string): Promise<readonly Upload[]> => {
	const uploads = new Map<string, Upload>();
	for (const {from, to} of files) {
		const where = ['files', from];
		const local = resolve(folder, localPath(from));
		const several = await isSeveral(local);
		let found;
		try {
			found = several
				? await localFiles(from, folder)
				: (await localFiles(from, folder)).map(each => ({...each, path: basename(local)}));
		} catch (error) {
			if (error instanceof LocalFileError)
				throw fault(
					where,
					error.message,
					"Paths are below the recipe's folder. Correct it and try again; nothing was done.",
				);
			throw error;
		}
		const isFolder = to === '' || to === '.' || to.endsWith('/');
		if (several && !isFolder)
			throw fault(
				where,
				`${label(from, 80)} may be several files: they go into a folder.`,
				`Write ${label(to, 80)}/ with a trailing /, or ./ for the root.`,
			);
		for (const {file, path: below, bytes} of found) {
			const path = isFolder ? [serverPath(to), below].filter(part => part !== '').join('/') : serverPath(to);
			const other = uploads.get(path);
			if (other && other.file !== file)
				throw fault(
					where,
					`Both ${label(other.file, 120)} and ${label(file, 120)} go to ${label(path, 120)}.`,
					'Give one of them another path.',
				);
			uploads.set(path, {file, path, bytes});
		}
	}
	return [...uploads.values()];
};

/** The lower of two limits. */
const limited = (filter: ComputeFilter, price: number | undefined): ComputeFilter =>
	price === undefined || (filter.maxPrice && filter.maxPrice.amount <= price)
		? filter
		: {...filter, maxPrice: {amount: price, inclusive: true}};

/** What is to be done about the server; `option` is what it will be paid for. */
type Plan = {readonly existing: ServerItem | undefined; readonly option: ComputeOption | null};

const planOf = async (
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
	if (existing && existing.status !== 'offline') {
		const offer = offerOf(existing.server_request, items);
		const fits = offer !== undefined && filterCompute([offer], {...filter, available: false}).length > 0;
		await printNote(
			context,
			`${label(server, 60)} is ${existing.status === 'ready' ? 'ready already' : `there already, ${label(existing.status, 20)}`}, on ${label(existing.server_request, 60)}${offer ? `, ${perHour(offer.hourly_price)}` : ''}: it is used as it is${fits ? '' : ', although the recipe asks for another compute'}.`,
		);
		return {existing, option: null};
	}
	const known = valueOf(environments).items.map(each => each.environment_id);
	if (known.length > 0 && !known.includes(environment))
		throw fault(
			['environment'],
			`There is no environment ${label(environment, 60)}; there are ${known
				.slice(0, 12)
				.map(id => label(id, 40))
				.join(', ')}${known.length > 12 ? ', …' : ''}.`,
			'Correct it and try again; nothing was done.',
		);
	try {
		return {existing, option: cheapestOffer(items, filter)};
	} catch (error) {
		await noteUnknown(context, items, filter);
		throw error;
	}
};

const describe = (option: ComputeOption): string => {
	const {num_gpus: count, name, vram_per_gpu: vram, cpus, memory, availability} = option;
	const regions = availability.filter(({available}) => available).map(({region}) => label(region, 40));
	const parts = [
		label(name, 60),
		...(count > 0 ? [`${label(knownText(vram), 12)} per GPU`] : []),
		`${numberText(cpus)} ${cpus === 1 ? 'CPU' : 'CPUs'}`,
		label(knownText(memory), 12),
	];
	return `${label(computeIdOf(option).id, 60)}, ${perHour(option.hourly_price)} (${parts.join(', ')}; ${regions.slice(0, 3).join(', ')}${regions.length > 3 ? `, ${regions.length - 3} more` : ''})`;
};

const verb = ({existing}: Plan): 'Create' | 'Start' => (existing ? 'Start' : 'Create');

/** Asks until what was agreed to is what there is: between question and answer prices move. */
const agreed = async (
	context: Context,
	service: Service,
	recipe: Recipe,
	filter: ComputeFilter,
	first: Plan,
	{yes}: UpOptions,
): Promise<Plan> => {
	for (let plan = first; ;) {
		const {option} = plan;
		if (option === null) return plan;
		const price = perHour(option.hourly_price);
		await printNote(
			context,
			`The cheapest that passes and is available: ${describe(option)}.${filter.regions.length === 0 ? '' : ` It is available in ${filter.regions.map(region => label(region, 40)).join(' or ')}, but the service chooses the region.`}`,
		);
		if (yes) return plan;
		if (context.ask === undefined)
			throw usageError(
				`To ${verb(plan).toLowerCase()} ${label(recipe.server, 60)} on ${label(computeIdOf(option).id, 60)} costs ${price}, and there is no terminal to confirm it in.`,
				'Accept with --yes, and set a limit with --max-price; --dry-run only shows what would be done.',
			);
		const answer = await context
			.ask(`${verb(plan)} ${label(recipe.server, 60)} on it for ${price}? Type y for yes: `, {masked: false})
			.catch((error: unknown) => {
				throw error instanceof CommandError && error.code === 'cancelled'
					? new CommandError('cancelled', 'Stopped: nothing was done.', '')
					: error;
			});
		if (!/^y(?:es)?$/i.test(answer.trim()))
			throw new CommandError('cancelled', 'Not confirmed: nothing was done.', '');
		const now = await planOf(context, service, recipe, filter);
		if (
			now.option === null ||
			(computeIdOf(now.option).id === computeIdOf(option).id &&
				Object.is(now.option.hourly_price, option.hourly_price))
		)
			return now;
		await printNote(context, 'The catalogue has changed meanwhile.');
		plan = now;
	}
};

/** Sends create or start once. Answers the rate that the service says; null where its answer was lost or another program was first. */
const launch = async (
	context: Context,
	service: Service,
	{server, environment, port}: Recipe,
	{existing}: Plan,
	option: ComputeOption,
): Promise<number | null> => {
	const {signal} = context;
	const settings = {
		environment,
		port: port ?? existing?.port ?? DEFAULT_PORT,
		server_request: computeIdOf(option).id,
	};
	const name = label(server, 60);
	const since = Date.now();
	const reply = existing
		? await service.client.startServer(server, settings, {signal})
		: await service.client.createServer({server_name: server, ...settings}, {signal});
	if (reply.ok) {
		await noteEnd(context, service, server);
		await printNote(context, `${name} is ${existing ? 'started' : 'created'}.`);
		await keepRate(context, server, reply.value, knownNumber(option.hourly_price), since);
		return reply.value.hourly_rate;
	}
	const {failure} = reply;
	if (failure.kind === 'conflict') {
		const now = valueOf(await service.client.servers({signal})).items.find(item => item.name === server);
		if (now && now.status !== 'offline') {
			await printNote(
				context,
				`Another program was faster: ${name} is there already, on ${label(now.server_request, 60)}.`,
			);
			return null;
		}
	}
	if (!failure.ambiguous) throw failed(failure);
	await printNote(
		context,
		`${label(failure.message, 300)} The list tells whether ${name} was ${existing ? 'started' : 'created'}; nothing is sent twice.`,
	);
	return null;
};

/** @throws {CommandError} when it costs more than the limit. */
const checkRate = (
	context: Context,
	server: string,
	quoted: number,
	rate: number,
	limit: number | undefined,
): void => {
	if (rate === quoted) return;
	const told = otherRate(server, quoted, rate);
	if (limit !== undefined && rate > limit)
		throw new CommandError(
			'price',
			`${told}, and more than --max-price ${limit}: nothing more was done.`,
			`It runs and costs all the same. ${context.typed('server', 'open', server)} opens its page, where it can be stopped; the same command with a higher --max-price goes on.`,
		);
};

type Uploaded = {readonly uploaded: {path: string; bytes: number}[]; readonly unchanged: string[]};

const notUploaded = (
	context: Context,
	path: string,
	failure: Failure,
	there: string,
	file: string,
): CommandError => {
	const {code, message, detail, next} = failed(failure);
	return new CommandError(
		code,
		`${label(path, 120)} was not uploaded: ${message}`,
		`${there} The server runs. ${next} ${context.typed('up', file)} goes on.`,
		detail,
		failure,
	);
};

/** One after the other; of what a server has from before, only what differs is sent. */
const uploadAll = async (
	context: Context,
	{client}: Service,
	server: string,
	uploads: readonly Upload[],
	isNew: boolean,
	file: string,
): Promise<Uploaded> => {
	const done: Uploaded = {uploaded: [], unchanged: []};
	const call = {signal: context.signal};
	for (const [index, upload] of uploads.entries()) {
		const {path} = upload;
		const at = `${index + 1}/${uploads.length} ${label(path, 200)}`;
		const content = await localFailed(readLocal(upload.file));
		if (!isNew && (await isThere(client, server, path, content, call))) {
			done.unchanged.push(path);
			await printNote(context, `${at} is there already`);
			continue;
		}
		const reply = await sendBytes(client, server, path, content, call);
		if (!reply.ok)
			throw notUploaded(
				context,
				path,
				reply.failure,
				`${index} of ${uploads.length} files ${index === 1 ? 'is' : 'are'} there.`,
				file,
			);
		done.uploaded.push({path, bytes: content.length});
		await printNote(
			context,
			`${at}, ${content.length.toLocaleString('en')} ${content.length === 1 ? 'byte' : 'bytes'}`,
		);
	}
	return done;
};

const warmUp = async (
	context: Context,
	{client, isLocal}: Service,
	{server, run, kernel}: Recipe,
): Promise<ExecutedCell | null> => {
	if (run === null) return null;
	await printNote(context, 'The warm-up code runs.');
	const reply = await client.runCode(server, {code: run, kernel_name: kernel}, {signal: context.signal});
	if (!reply.ok) throw reply.failure.kind === 'cancelled' ? stoppedCode(isLocal) : failed(reply.failure);
	return reply.value;
};

const showPlan = async (
	context: Context,
	{server, run}: Recipe,
	{existing, option}: Plan,
	uploads: readonly Upload[],
	folder: string,
): Promise<number> => {
	const action = option === null ? 'use' : existing ? 'start' : 'create';
	const compute = option === null ? (existing?.server_request ?? null) : computeIdOf(option).id;
	if (context.json) {
		await printJson(context, {
			dry_run: true,
			server_name: server,
			action,
			server_request: compute,
			hourly_price: option?.hourly_price ?? null,
			uploads: uploads.map(({path, bytes}) => ({path, bytes})),
			run,
		});
		return 0;
	}
	const what =
		option === null
			? 'used as it is'
			: `${action === 'start' ? 'started' : 'created'} on ${describe(option)}`;
	const lines = [
		`${label(server, 60)} would be ${what}`,
		...uploads.map(
			({file, path, bytes}) =>
				`${label(relative(folder, file), 200)} would be uploaded as ${label(path, 200)}, ${bytes.toLocaleString('en')} bytes`,
		),
		...(run === null ? [] : ['The warm-up code would run']),
	];
	await context.stdout.write(lines.map(line => `${line}\n`).join(''));
	return 0;
};

/** `up`: makes a server as a recipe says. A second run uses the server that is there, and sends only files that differ. */
export const up = async (context: Context, file: string, options: UpOptions): Promise<number> => {
	const limit = secondsOf('--timeout', options.timeout, HELP);
	const maxPrice = amount(
		'--max-price',
		options.maxPrice,
		'a price per hour, such as 2.50',
		undefined,
		`${HELP} --help shows how.`,
	);
	const recipe = parseRecipe(await readText(file), file);
	const {server} = recipe;
	const folder = dirname(file);
	const uploads = await uploadsOf(recipe, folder);
	const filter = limited(recipe.compute, maxPrice);
	const service = await context.connect();
	const first = await planOf(context, service, recipe, filter);
	if (options.dryRun) return showPlan(context, recipe, first, uploads, folder);
	const plan = await agreed(context, service, recipe, filter, first, options);
	const {existing, option} = plan;
	const rate = option === null ? null : await launch(context, service, recipe, plan, option);
	if (rate !== null && option !== null && !Number.isNaN(option.hourly_price))
		checkRate(context, server, option.hourly_price, rate, maxPrice);
	const ready = await untilReady(context, service, server, {limit});
	if (existing?.status !== 'ready') await printNote(context, `${label(server, 60)} is ready.`);
	const files = await uploadAll(
		context,
		service,
		server,
		uploads,
		existing === undefined && rate !== null,
		file,
	);
	const cell = await warmUp(context, service, recipe);
	const known = {...ready, ...(rate !== null && {hourly_rate: rate})};
	if (context.json)
		await printJson(context, {
			...known,
			done: option === null || rate === null ? 'used' : existing ? 'started' : 'created',
			...files,
			cell,
		});
	else {
		if (cell) await printOutputs(context, cell);
		await context.stdout.write(stateLine(known, 'ready'));
	}
	return cell ? exitOfCell(cell) : 0;
};
