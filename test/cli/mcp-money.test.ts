import {assert, boolean, constant, double, oneof, option, property} from 'fast-check';
import {expect, test} from 'vitest';
import {rentRefusal} from '../../src/cli/mcp/money.ts';
import type {Permission} from '../../src/cli/mcp/permissions.ts';
import {
	computeOption,
	serverItem,
	startedServer,
	startHostileService,
	success,
} from '../faults/hostile-service.ts';
import {openMcp, type McpOptions} from '../support/mcp-client.ts';
import {newHome} from '../support/program.ts';

const price = double({min: 0, max: 100, noNaN: true});

test('a paid action asks only if spending is allowed and the price is within the maximum', () => {
	assert(
		property(
			oneof(price, constant(0), constant(null), constant(Number.NaN)),
			option(price, {nil: undefined}),
			boolean(),
			boolean(),
			(costs, maxPrice, spend, run) => {
				const allowed = new Set<Permission>([
					...(spend ? ['spend' as const] : []),
					...(run ? ['run' as const] : []),
				]);
				const order = {verb: 'Start', server: 'a', compute: 'c', act: 'svc-tui'} as const;
				const may = costs === 0 || (costs !== null && spend && maxPrice !== undefined && costs <= maxPrice);
				expect(rentRefusal(order, costs, {allowed, maxPrice}) === null).toBe(may);
			},
		),
	);
});

test('a server that costs something is created only within the price, and once the user has agreed', async () => {
	await using home = await newHome();
	let l4 = 2;
	await using service = await startHostileService({
		compute: () =>
			success({
				compute: [
					computeOption('L4', {hourly_price: l4}),
					computeOption('free', {hourly_price: 0}),
					computeOption('odd', {hourly_price: 'soon'}),
				],
			}),
		servers: () => success({servers: [serverItem('old', {status: 'offline', server_request: 'cloud-L4'})]}),
		create: () => success(startedServer('new', {hourly_rate: 2})),
		start: () => success(startedServer('old', {hourly_rate: 2})),
	});
	const orders = (): number => service.asked.filter(line => line.startsWith('POST ')).length;
	const tried = async (
		args: readonly string[],
		answer?: McpOptions['answer'],
		compute = 'cloud-L4',
	): Promise<{readonly isError: boolean; readonly text: string}> => {
		await using mcp = await openMcp({home, env: service.env, args, ...(answer && {answer})});
		// The test closes the input only after the response has arrived.
		const answered = await (args.includes('run')
			? mcp.call('start_server', {server: 'old', wait_seconds: 0})
			: mcp.call('create_server', {name: 'new', environment: 'ai', compute, wait_seconds: 0}));
		return answered;
	};
	const upTo = (most: string): readonly string[] => ['--allow', 'spend', '--max-price', most];
	const yes = {action: 'accept', content: {confirm: true}} as const;

	for (const [said, args, answer, compute] of [
		[
			/^cloud-L4 costs 2\.00\/h, and spending is not allowed\. Nothing was sent\.\n.*--allow spend/,
			['--allow', 'run'],
		],
		[
			/^cloud-L4 costs 2\.00\/h, and svc-tui mcp was started without --max-price\./,
			['--allow', 'spend'],
			() => yes,
		],
		[/^cloud-L4 costs 2\.00\/h, above the --max-price of 1\.99\/h\./, upTo('1.99'), () => yes],
		[/^The price of cloud-odd is unknown, so new was not started\./, upTo('9'), () => yes, 'cloud-odd'],
		[
			/^cloud-L4 costs 2\.00\/h, and this client does not support elicitation, so the user cannot confirm it\./,
			upTo('2'),
		],
		[/^The user declined 2\.00\/h\. Nothing was sent\.$/, upTo('2'), () => ({action: 'decline'})],
		[/^The user declined/, upTo('2'), () => ({action: 'accept', content: {confirm: false}})],
		[
			/^cloud-L4 cost 2\.00\/h when the user was asked, and now 2\.50\/h\. Nothing was sent\./,
			upTo('2'),
			() => {
				l4 = 2.5;
				return yes;
			},
		],
	] as readonly (readonly [RegExp, readonly string[], McpOptions['answer']?, string?])[])
		expect(await tried(args, answer, compute)).toMatchObject({
			isError: true,
			text: expect.stringMatching(said),
		});
	expect(orders()).toBe(0);

	l4 = 2;
	const asked: string[] = [];
	const created = await tried(upTo('2'), question => {
		asked.push(question);
		return yes;
	});
	expect(created).toMatchObject({isError: false, value: {server: 'new', status: 'starting', hourly_rate: 2}});
	expect(asked).toEqual(['Create the server new on cloud-L4 for 2.00/h? It costs that until it is stopped.']);
	expect(orders()).toBe(1);
	// The tool reports the price if the response differs from the price list.
	expect(await tried(['--allow', 'spend'], undefined, 'cloud-free')).toMatchObject({
		isError: false,
		text: expect.stringMatching(
			/^It costs 2\.00\/h, more than allowed\. Tell the user\. stop_server stops it\.\n/,
		),
	});
	expect(orders()).toBe(2);
});
