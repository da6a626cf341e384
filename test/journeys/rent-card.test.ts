import {expect, test} from 'vitest';
import {
	computeOption,
	serverItem,
	startedServer,
	startHostileService,
	success,
} from '../faults/hostile-service.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';

const h100 = (host: string, price: number) =>
	computeOption('H100 (1x)', {compute_id: `${host}-H100x1`, cloud_host: host, hourly_price: price});

const market = async () => {
	const service = await startHostileService();
	const servers = [serverItem('calm')];
	service.answer({
		servers: () => success({servers}),
		create({body}) {
			const {server_name: name, server_request} = JSON.parse(body) as Record<string, string>;
			servers.push(serverItem(name ?? '', {server_request}));
			return success(startedServer(name ?? '', {server_request}));
		},
		compute: () =>
			success({compute: [h100('near', 4.82), h100('cheap', 2.48), h100('fair', 2.49), h100('dear', 4.9)]}),
	});
	return service;
};

test(
	'the card is 66 cells wide at 80, 120 and 200 columns, and Enter says that y rents',
	{tags: 'long'},
	async () => {
		await using service = await market();
		for (const columns of [80, 120, 200]) {
			await using home = await newHome();
			await using terminal = await openProgram({home, columns, rows: 40, env: service.env});
			await terminal.until(/calm +\S ready/);
			terminal.press('2');
			await terminal.until(/H100 .*1×24 .* 2\.48/);
			pressAction(terminal, 'compute', 'create');
			const card = await terminal.until(/Rent a server[^]*y Rent at 2\.48\/h/);
			const edge = /╭[─ ]*Rent a server[─ ]*╮/.exec(card)?.[0] ?? '';
			expect([...edge]).toHaveLength(66);
			expect(card).toMatch(/2\.48\/h +60\/day/);
			terminal.press('enter');
			await terminal.until('y rents it');
			expect(service.asked).not.toContain('POST /api/servers');
			terminal.press('2');
			await terminal.until(/4\.82\/h +116\/day[^]*y Rent at 4\.82\/h/);
			pressAction(terminal, 'review', 'cancel');
			await terminal.gone('Rent a server');
		}
	},
);

test('a card that was closed after typing is gone: the next one is empty', async () => {
	await using service = await market();
	await using home = await newHome();
	await using terminal = await openProgram({home, env: service.env});
	await terminal.until(/calm +\S ready/);
	pressAction(terminal, 'servers', 'create');
	await terminal.until('Rent a server');
	terminal.type('trainer-8');
	await terminal.until(/name +trainer-8/);
	pressAction(terminal, 'form', 'cancel');
	await terminal.gone('Rent a server');
	pressAction(terminal, 'servers', 'create');
	await terminal.until(/Rent a server[^]*u restore trainer-8/);
	expect(terminal.screen()).not.toMatch(/Name +trainer-8/);
	pressAction(terminal, 'review', 'takeBack');
	await terminal.until(/Name +trainer-8/);
});

test('the card opens on the option that was rented last, also in the next program', async () => {
	await using service = await market();
	await using home = await newHome();
	for (const isFirst of [true, false]) {
		await using terminal = await openProgram({home, env: service.env});
		await terminal.until(/calm +\S ready/);
		pressAction(terminal, 'servers', 'create');
		await terminal.until(isFirst ? /Rent at 2\.48\/h/ : /fair {2}[^]*Rent at 2\.49\/h/);
		if (isFirst) {
			terminal.press('1');
			await terminal.until(/Rent at 2\.49\/h/);
			pressAction(terminal, 'review', 'rent');
		} else pressAction(terminal, 'review', 'cancel');
		await terminal.gone('Rent a server');
		pressAction(terminal, 'global', 'quit');
		await terminal.exit;
	}
});

test('a word typed on a compute row names the server and rents nothing; the two keys rent', async () => {
	await using service = await market();
	await using home = await newHome();
	await using terminal = await openProgram({home, env: service.env});
	const posts = (): readonly string[] => service.asked.filter(line => line.startsWith('POST'));
	await terminal.until(/calm +\S ready/);
	terminal.press('2');
	await terminal.until(/H100 .*1×24 .* 2\.48/);
	terminal.type('cyolo');
	await terminal.until(/name +yolo/);
	pressAction(terminal, 'form', 'cancel');
	await terminal.gone('Rent a server');

	pressAction(terminal, 'compute', 'create');
	await terminal.until('y Rent at 2.48/h');
	terminal.type('year');
	await terminal.until(/name +year/);
	pressAction(terminal, 'form', 'cancel');
	await terminal.gone('Rent a server');
	expect(posts()).toEqual([]);

	pressAction(terminal, 'compute', 'create');
	await terminal.until('y Rent at 2.48/h');
	pressAction(terminal, 'review', 'rent');
	await terminal.until(/h100 is/);
	expect(posts()).toEqual(['POST /api/servers']);
});
