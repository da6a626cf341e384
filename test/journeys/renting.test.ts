import {expect, test} from 'vitest';
import {
	computeOption,
	serverItem,
	startedServer,
	startHostileService,
	success,
	type Answer,
	type HostileService,
} from '../faults/hostile-service.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';

const COMPUTE = [
	computeOption('Medium CPU', {
		cloud_host: 'svc',
		compute_id: undefined,
		num_gpus: 0,
		vram_per_gpu: '0G',
		total_vram: '0G',
		hourly_price: 0.1,
	}),
	computeOption('L4 (1x)', {compute_id: 'cloud-L4x1', hourly_price: 0.98}),
	computeOption('H100 (1x)', {compute_id: 'cloud-H100x1', hourly_price: 2.49, vram_per_gpu: '80G'}),
	computeOption('H100 (8x)', {
		compute_id: 'cloud-H100x8',
		hourly_price: 19.9,
		availability: [{available: false, region: 'eu-1'}],
	}),
];

type Server = ReturnType<typeof serverItem>;

/**
 * A service that stores its servers. A created or started server stays `spawning` until the test
 * changes that.
 */
const keeper = async (
	servers: Server[],
	rateOf: (request: string) => number = () => 0.98,
): Promise<
	HostileService & {readonly bodies: readonly unknown[]; become(name: string, more: Partial<Server>): void}
> => {
	const bodies: unknown[] = [];
	const become = (name: string, more: object): void => {
		const at = servers.findIndex(server => server.name === name);
		if (at >= 0) servers[at] = {...servers[at], ...more} as Server;
	};
	const service = await startHostileService({
		servers: () => success({servers}),
		compute: () => success({compute: COMPUTE}),
		create({body}): Answer {
			const request = JSON.parse(body) as {readonly server_name: string; readonly server_request: string};
			bodies.push(request);
			servers.push(
				serverItem(request.server_name, {...request, status: 'spawning', port_forward_url: 'pending'}),
			);
			return success(
				startedServer(request.server_name, {
					...request,
					hourly_rate: rateOf(request.server_request),
					port_forward_url: 'pending',
				}),
			);
		},
		start({server, body}): Answer {
			const request = JSON.parse(body) as {readonly server_request: string};
			bodies.push(request);
			become(server, {...request, status: 'spawning'});
			return success(startedServer(server, {...request, hourly_rate: rateOf(request.server_request)}));
		},
	});
	return {
		...service,
		bodies,
		become,
		answer: service.answer,
		[Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
	};
};

const createPosts = (service: HostileService): number =>
	service.asked.filter(line => line === 'POST /api/servers').length;

/** Fills in the form for a new server, up to its last page. */
const fillForm = async (terminal: Terminal, name: string, compute: string): Promise<void> => {
	pressAction(terminal, 'servers', 'create');
	await terminal.until('Rent a server');
	pressAction(terminal, 'review', 'name');
	terminal.type(name);
	pressAction(terminal, 'form', 'accept');
	await terminal.until(new RegExp(`Name +${name} [^]*y Rent `));
	pressAction(terminal, 'review', 'compute');
	await terminal.until(/▸ compute[^]*Price \/h/);
	terminal.type(compute);
	pressAction(terminal, 'form', 'accept');
	await terminal.until('y Rent ');
};

test(
	'a charge above the confirmed price is reported with both numbers, and stays readable',
	{tags: 'long'},
	async () => {
		await using service = await keeper([serverItem('calm')], () => 1.52);
		await using home = await newHome();
		await using terminal = await openProgram({home, columns: 140, rows: 40, env: service.env});
		await terminal.until(/calm +\S ready/);
		await fillForm(terminal, 'trainer', 'l4');
		await terminal.until('Rent at 0.98/h');
		pressAction(terminal, 'confirm', 'yes');
		const told = await terminal.until('trainer costs more than you confirmed');
		expect(told).toMatch(/you confirmed +0\.98\/h/);
		expect(told).toMatch(/the service charges +1\.52\/h +\+0\.54\/h, \+55 %/);
		pressAction(terminal, 'told', 'close');
		await terminal.gone('costs more than you confirmed');
		// The list and the fields continue with the rate of the response.
		await terminal.until(/▸ trainer +\S spawning +\S.* +1\.52/);
		await terminal.until(/Rate +1\.52\/h +36\/day[^]*0\.98\/h[^]*confirmed/);
		expect(service.bodies).toEqual([
			{environment: 'ai', port: 8888, server_name: 'trainer', server_request: 'cloud-L4x1'},
		]);
	},
);

test('a start at the confirmed price needs no second question; the running cost counts ready servers, and estimates are marked', async () => {
	await using service = await keeper([
		serverItem('calm', {server_request: 'cloud-L4x1'}),
		serverItem('asleep', {status: 'offline'}),
	]);
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 100, rows: 30, env: service.env});
	await terminal.until(/0\.98\/h now +24\/day if left on +today est\. ≥?0\.00/);
	await terminal.until(/calm +\S ready +1× L4 \S+ +0\.98 +≥?0\.00/);
	await terminal.until(/asleep +\S offline +\S.* +— +—/);
	await fillForm(terminal, 'second', 'l4');
	pressAction(terminal, 'confirm', 'yes');
	await terminal.until('second is starting, 0.98/h');
	expect(terminal.screen()).not.toContain('than you confirmed');
	await terminal.until(/second +\S spawning/);
	// A server counts as free of charge until it is ready, because nothing else is known.
	await terminal.until('0.98/h now');
	service.become('second', {status: 'ready'});
	await terminal.until(/second is ready[^]*1\.96\/h now|1\.96\/h now[^]*second is ready/);
});

test(
	'an offline server starts with its earlier options, or with another compute option whose price is compared first',
	{tags: 'long'},
	async () => {
		await using service = await keeper(
			[
				serverItem('trainer', {
					status: 'offline',
					server_request: 'cloud-L4x1',
					environment: 'ai',
					port: 9000,
				}),
			],
			request => (request === 'cloud-H100x1' ? 2.49 : 0.98),
		);
		await using home = await newHome();
		await using terminal = await openProgram({home, columns: 110, rows: 34, env: service.env});
		await terminal.until(/trainer +\S offline/);
		pressAction(terminal, 'servers', 'start');
		await terminal.until(/Start trainer\?[^]*Port +9000[^]*Start at 0\.98\/h/);
		pressAction(terminal, 'review', 'compute');
		await terminal.until(/▸ compute +cloud-L4x1/);
		// A sold-out option can be viewed, but not chosen.
		terminal.type('h100x8');
		pressAction(terminal, 'form', 'accept');
		await terminal.until('Not available in any region now');
		pressAction(terminal, 'form', 'killToStart');
		terminal.type('h100');
		await terminal.until(/▸ cloud-H100x1 [^]*cloud-H100x8/);
		pressAction(terminal, 'form', 'accept');
		await terminal.until(/2\.49\/h +60\/day[^]*0\.98\/h before[^]*y Start at 2\.49\/h/);
		pressAction(terminal, 'confirm', 'yes');
		await terminal.until(/trainer +\S spawning .*1× H100 80G +2\.49/);
		expect(service.bodies).toEqual([{environment: 'ai', port: 9000, server_request: 'cloud-H100x1'}]);
	},
);

test(
	'a create whose answer is lost is looked up in the list, and never sent twice',
	{tags: 'long'},
	async () => {
		const servers = [serverItem('calm')];
		await using service = await keeper(servers);
		service.answer({
			create({body}) {
				servers.push(
					serverItem((JSON.parse(body) as {readonly server_name: string}).server_name, {
						status: 'spawning',
						server_request: 'cloud-L4x1',
					}),
				);
				throw new Error('the answer is lost');
			},
		});
		await using home = await newHome();
		await using terminal = await openProgram({home, columns: 110, rows: 34, env: service.env});
		await terminal.until(/calm +\S ready/);
		await fillForm(terminal, 'lost', 'l4');
		pressAction(terminal, 'confirm', 'yes');
		await terminal.until(
			'lost is in the list, although the response was lost, 0.98/h according to the catalogue',
		);
		await terminal.until(/▸ lost +\S spawning/);
		expect(terminal.screen()).not.toContain('Rent a server');
		expect(createPosts(service)).toBe(1);
	},
);

test(
	'a create whose answer is lost and that the list does not show is reported as such; only the user sends it again',
	{tags: 'long'},
	async () => {
		await using service = await keeper([serverItem('calm')]);
		let lose = true;
		service.answer({
			create({body}) {
				if (lose) throw new Error('the answer is lost');
				return success(
					startedServer((JSON.parse(body) as {readonly server_name: string}).server_name, {
						hourly_rate: 0.98,
					}),
				);
			},
		});
		await using home = await newHome();
		await using terminal = await openProgram({home, columns: 110, rows: 34, env: service.env});
		await terminal.until(/calm +\S ready/);
		await fillForm(terminal, 'gone', 'l4');
		pressAction(terminal, 'confirm', 'yes');
		await terminal.until('the response was lost: checking whether it took effect');
		// Keys that are pressed during the request send no further request.
		pressAction(terminal, 'confirm', 'yes');
		await terminal.until(
			/The[│\s]+list[│\s]+does[│\s]+not[│\s]+show[│\s]+gone[│\s]+as[│\s]+created,[│\s]+so[│\s]+it[│\s]+was[│\s]+not[│\s]+created,[│\s]+or[│\s]+not[│\s]+yet/,
		);
		expect(createPosts(service)).toBe(1);
		lose = false;
		pressAction(terminal, 'confirm', 'yes');
		await terminal.until('gone is starting, 0.98/h');
		expect(createPosts(service)).toBe(2);
	},
);

test('a copy of a server is a card; a refusal keeps it open, and once it is closed the next form is empty', async () => {
	await using service = await keeper([
		serverItem('trainer', {server_request: 'cloud-H100x1', port: 9001}),
		serverItem('trainer-2'),
	]);
	service.answer({create: () => ({status: 400, body: JSON.stringify({message: 'no quota left'})})});
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 110, rows: 34, env: service.env});
	await terminal.until(/trainer-2 +\S ready/);
	pressAction(terminal, 'servers', 'duplicate');
	await terminal.until(
		/Rent a server like trainer [^]*Name +trainer-3[^]*Compute +cloud-H100x1[^]*Port +9001[^]*Rent at 2\.49\/h/,
	);
	pressAction(terminal, 'confirm', 'yes');
	await terminal.until('no quota left');
	pressAction(terminal, 'review', 'cancel');
	await terminal.gone('Rent a server like');
	pressAction(terminal, 'servers', 'create');
	const card = await terminal.until(/Rent a server[^]*Port +8888/);
	expect(card).not.toContain('trainer-3');
});

/** Confirms the start of `trainer`, the only server. */
const startTrainer = async (terminal: Terminal): Promise<void> => {
	await terminal.until(/trainer +\S offline/);
	pressAction(terminal, 'servers', 'start');
	await terminal.until('Start trainer?');
	pressAction(terminal, 'confirm', 'yes');
};

test(
	'leaving the wait cancels nothing: it lists the states so far, and a notice on another screen reports when the server is ready',
	{tags: 'long'},
	async () => {
		await using service = await keeper([
			serverItem('trainer', {status: 'offline', server_request: 'cloud-L4x1'}),
		]);
		await using home = await newHome();
		await using terminal = await openProgram({home, columns: 110, rows: 34, env: service.env});
		await startTrainer(terminal);
		await terminal.until(/trainer · spawning \d+ s +asked, spawning after/);
		service.become('trainer', {status: 'pulling image', port_forward_url: 'pending'});
		await terminal.until(
			/Waiting +asked, spawning after [\d.]+[│\s]+s,[│\s]+pulling[│\s]+image[│\s]+after[│\s]+[\d.]+[│\s]+s[│\s][^]*Forward +pending/,
		);
		pressAction(terminal, 'global', 'compute');
		await terminal.until('Price /h');
		service.become('trainer', {status: 'ready'});
		await terminal.until(/trainer is ready/);
		pressAction(terminal, 'global', 'servers');
		await terminal.until(/trainer +\S ready/);
		expect(terminal.screen()).not.toContain('asked, spawning');
	},
);

test("a start that ends offline again is reported, with the service's reason", {tags: 'long'}, async () => {
	await using service = await keeper([
		serverItem('trainer', {status: 'offline', server_request: 'cloud-L4x1'}),
	]);
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 110, rows: 34, env: service.env});
	await startTrainer(terminal);
	await terminal.until(/trainer · spawning/);
	service.become('trainer', {status: 'offline', status_reason: 'no capacity in eu-1'} as Partial<Server>);
	await terminal.until('trainer did not start; it is offline again: no capacity in eu-1');
});
