import {mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {newHome, type Home} from '../support/program.ts';
import {canned, list, onTerminal, serve, serverItem, shell, type Served} from './support.ts';

type Option = {
	readonly name: string;
	readonly cloud_host: string;
	readonly availability: readonly {readonly region: string; readonly available: boolean}[];
};

let home: Home;
let served: Served;
beforeAll(async () => {
	home = await newHome();
	served = await serve(home);
});
afterAll(async () => {
	await served[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
});

const raw = async (path: string, field: string): Promise<readonly Option[]> => {
	const answer = await fetch(`${served.url}/api/${path}`, {headers: {apiKey: served.key}});
	return ((await answer.json()) as Record<string, readonly Option[]>)[field] ?? [];
};

const compute = async (...args: readonly string[]): Promise<readonly Option[]> => {
	const {code, stdout} = await served.run(['compute', '--json', ...args]);
	expect(code).toBe(0);
	return JSON.parse(stdout) as readonly Option[];
};

test.each(['servers', 'compute', 'environments'])(
	'%s --json is the array of the service itself',
	async noun => {
		const {code, stdout, stderr} = await served.run([noun, '--json']);
		expect({code, stderr}).toEqual({code: 0, stderr: ''});
		expect(JSON.parse(stdout)).toEqual(await raw(noun, noun));
	},
);

test.each(['servers', 'compute', 'environments'])(
	'%s --json has the same bytes on a terminal and in a pipe',
	async noun => {
		const piped = await served.run([noun, '--json']);
		expect(await onTerminal([noun, '--json'], {home, env: served.env})).toEqual({
			code: 0,
			text: piped.stdout,
		});
	},
);

test('columns of the tables are chosen by the settings, and by an option for once', async () => {
	const folder = join(home.env['XDG_CONFIG_HOME'] ?? '', 'svc-tui');
	mkdirSync(folder, {recursive: true});
	const file = join(folder, 'settings.json');
	writeFileSync(file, '{"columns": {"servers": ["port", "name", "estimate"], "compute": ["price", "gpu"]}}');
	const headOf = async (...args: readonly string[]): Promise<string> =>
		(await served.run(args)).stdout.replace(/\n[^]*/, '').replace(/ {2,}/g, '|');
	expect((await served.run(['servers'])).stdout).toBe('PORT  NAME     TODAY\n8888  welcome      -\n');
	expect(await headOf('compute')).toBe('COMPUTE|PRICE /H|GPU');
	expect(await headOf('servers', '--columns', 'State, name')).toBe('STATE|NAME');
	expect(await headOf('compute', '--columns', 'host')).toBe('COMPUTE|HOST');
	rmSync(file);
	expect(await served.run(['servers', '--columns', 'name,stat'])).toMatchObject({
		code: 2,
		stdout: '',
		stderr: expect.stringMatching(/"stat" is not a column; did you mean state\?\n.*name, state, environment/),
	});
	expect((await served.run(['compute', '--columns', 'gpu,gpu'])).stderr).toContain('names gpu twice');
});

test('the table of servers has the columns of the screen', async () => {
	const {stdout} = await served.run(['servers']);
	expect(stdout).toBe(
		'NAME     STATE    ENVIRONMENT  COMPUTE     RATE /H  PORT\nwelcome  offline  ai           svc-medium     0.00  8888\n',
	);
});

test('several regions are a union, and letter case distinguishes them', async () => {
	const all = await raw('compute', 'compute');
	const offers = (option: Option, region: string): boolean =>
		option.availability.some(offer => offer.region === region);
	const regions = [...new Set(all.flatMap(option => option.availability.map(offer => offer.region)))];
	const twin = regions.find(region =>
		regions.some(other => other !== region && other.toLowerCase() === region.toLowerCase()),
	);
	expect(twin).toBeDefined();
	expect(await compute('--region', twin!)).toEqual(all.filter(option => offers(option, twin!)));
	const [one, other] = ['EU-NL-1', 'CA-MTL-1'];
	const union = all.filter(option => offers(option, one!) || offers(option, other!));
	expect(union.length).toBeGreaterThan(all.filter(option => offers(option, one!)).length);
	expect(await compute('--region', one!, '--region', other!)).toEqual(union);
	expect(await compute('--region', one!, other!)).toEqual(union);
});

test(
	'with --available an option is available in one of the regions named, not merely somewhere',
	{tags: 'long'},
	async () => {
		const option = (name: string, ...availability: readonly (readonly [string, boolean])[]) => ({
			name,
			cloud_host: 'h',
			compute_id: name,
			cpus: 1,
			memory: '1G',
			num_gpus: 1,
			vram_per_gpu: '1G',
			total_vram: '1G',
			hourly_price: 1,
			availability: availability.map(([region, available]) => ({region, available})),
		});
		await using service = await canned({
			'GET /api/compute': list(
				'compute',
				option('X (1x)', ['a', true], ['b', false]),
				option('Y (1x)', ['b', true]),
				option('Z (1x)', ['B', true]),
			),
		});
		const names = async (...args: readonly string[]): Promise<unknown> => {
			const {stdout} = await served.run(['compute', '--json', '--base-url', service.url, ...args]);
			return (JSON.parse(stdout) as readonly Option[]).map(({name}) => name);
		};
		expect(await names('--region', 'b')).toEqual(['X (1x)', 'Y (1x)']);
		expect(await names('--region', 'b', '--available')).toEqual(['Y (1x)']);
		expect(await names('--region', 'b', '--region', 'a', '--available')).toEqual(['X (1x)', 'Y (1x)']);
		expect(await names('--available')).toEqual(['X (1x)', 'Y (1x)', 'Z (1x)']);
	},
);

test('--gpu means the whole model in any letter case: A100 is not A100 80G', async () => {
	const all = await raw('compute', 'compute');
	const model = ({name}: Option): string => name.slice(0, name.lastIndexOf(' ('));
	for (const [typed, exact] of [
		['a100', 'A100'],
		['A100 80G', 'A100 80G'],
	] as const) {
		const wanted = all.filter(option => model(option) === exact);
		expect(wanted.length).toBeGreaterThan(0);
		expect(await compute('--gpu', typed)).toEqual(wanted);
	}
});

test('an unavailable region or GPU gives an empty list with the available ones', async () => {
	const {code, stdout, stderr} = await served.run(['compute', '--region', 'eu-nl-1', '--gpu', 'A1000']);
	expect({code, stdout}).toEqual({code: 0, stdout: ''});
	expect(stderr).toContain('Unknown region eu-nl-1; region names are case-sensitive. Did you mean EU-NL-1?');
	expect(stderr).toMatch(/No option has the GPU A1000; the catalogue has .*A100/);
});

test('on a narrow terminal columns are left out, so that a row keeps to its line', async () => {
	const {text} = await onTerminal(['compute', '--gpu', 'H100'], {home, env: served.env, columns: 80});
	const lines = text.split('\n');
	expect(lines[0]).toMatch(/^COMPUTE +GPU +N .*PRICE \/H +REGIONS/);
	expect(lines[0]).not.toContain('PER GPU');
	expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(80);
});

test('an item that cannot be read hides no other, and is counted', async () => {
	await using service = await canned({
		'GET /api/servers': list('servers', serverItem('one'), {port: 1}, serverItem('two'), {
			name: 'odd',
			port: '8888',
			status: 'ready',
		}),
	});
	const table = await served.run(['servers'], {env: service.env});
	expect(table.stdout.split('\n').map(line => line.split(' ')[0])).toEqual(['NAME', 'one', 'two', 'odd', '']);
	expect(table.stderr).toMatch(/^One entry of the list could not be read; --json shows the whole list/);
	expect(table.stderr).toMatch(
		/\nOne entry differs from the API \(odd: environment, port, server_request\); unreadable values are shown as \?\./,
	);
	expect(table.stdout).toMatch(/odd +ready +\? +\? .*8888/);
	expect(JSON.parse((await served.run(['servers', '--json'], {env: service.env})).stdout)).toMatchObject([
		{},
		{},
		{},
		{name: 'odd', port: '8888'},
	]);
});

test('with no servers yet the line that creates one is shown', async () => {
	await using service = await canned({'GET /api/servers': list('servers')});
	expect(await served.run(['servers'], {env: service.env})).toMatchObject({
		code: 0,
		stdout: '',
		stderr: 'No servers yet. svc-tui server create NAME --environment E --compute C creates one.\n',
	});
	expect(await served.run(['servers', '--json'], {env: service.env})).toMatchObject({
		code: 0,
		stdout: '[]\n',
		stderr: '',
	});
});

test.each([
	'svc-tui compute | head -1',
	'svc-tui compute --json | head -1',
	'svc-tui environments | true',
	'svc-tui --help | true',
])('a reader that leaves early is not a failure: %s', async line => {
	const {code, stderr} = await shell(line, {home, env: served.env});
	expect({code, stderr}).toEqual({code: 0, stderr: ''});
});

test('output to a full disk fails and says so', async () => {
	const {code, stderr} = await shell('svc-tui environments > /dev/full', {home, env: served.env});
	expect(code).toBe(2);
	expect(stderr).toMatch(/^The output cannot be written: the disk is full\./);
});

test('the shipped catalogue is the one in the table', async () => {
	const market = JSON.parse(readFileSync('src/service/catalogue/offers.json', 'utf8')) as
		{compute?: unknown[]} | unknown[];
	const offers = Array.isArray(market) ? market : (market.compute ?? []);
	const {stdout} = await served.run(['compute']);
	expect(stdout.trimEnd().split('\n').length - 1).toBeGreaterThanOrEqual(offers.length);
});

test(
	'with an unreadable entry, no command claims that there is no other server',
	{tags: 'long'},
	async () => {
		await using service = await canned({'GET /api/servers': list('servers', {port: 1})});
		for (const args of [
			['server', 'start', ''],
			['server', 'start', 'mine'],
			['server', 'wait', 'mine'],
			['server', 'open', 'mine'],
		])
			expect(await served.run(args, {env: service.env})).toMatchObject({
				code: 3,
				stderr: `There is no server ${JSON.stringify(args[2])} among those that could be read. You have 1 that could not be read.\nsvc-tui servers --json shows the list as the service sent it.\n`,
			});
		await using more = await canned({
			'GET /api/servers': list('servers', serverItem('one'), {port: 1}, {port: 2}),
		});
		expect((await served.run(['server', 'start', 'mine'], {env: more.env})).stderr).toMatch(
			/^There is no server "mine" among those that could be read\. You have one, and 2 that could not be read\.\n/,
		);
	},
);
