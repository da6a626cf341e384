import {randomBytes} from 'node:crypto';
import {mkdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {
	computeOption,
	executedCell,
	json,
	serverItem,
	startedServer,
	startHostileService,
	success,
	type Answer,
	type Asked,
	type HostileService,
	type Routes,
} from '../faults/hostile-service.ts';
import {CASES} from '../faults/hostile-cases.ts';
import {onScreen} from '../faults/watched-command.ts';
import {startMarketService} from '../support/market-service.ts';
import {newHome, type Home} from '../support/program.ts';
import {runHere} from '../support/run-here.ts';
import {onTerminal, serve} from './support.ts';

let home: Home;
beforeEach(async () => {
	home = await newHome();
});
afterEach(async () => home[Symbol.asyncDispose]());

const write = async (files: Readonly<Record<string, string | Uint8Array>>): Promise<void> => {
	for (const [path, content] of Object.entries(files)) {
		await mkdir(dirname(join(home.folder, path)), {recursive: true});
		await writeFile(join(home.folder, path), content);
	}
};

const recipe = (compute: string, rest = ''): string =>
	`server: trainer\nenvironment: ai\ncompute: ${compute}\n${rest}`;
const offer = (name: string, price: number, more: Readonly<Record<string, unknown>> = {}) =>
	computeOption(`${name} (1x)`, {compute_id: `cloud-${name}x1`, hourly_price: price, ...more});
const compute =
	(...list: readonly object[]) =>
	() =>
		success({compute: list});
type Body = Readonly<Record<string, unknown>>;
const bodyOf = ({body}: Asked): Body => JSON.parse(body) as Body;
const posts = (service: HostileService): readonly string[] =>
	service.asked.filter(line => line.startsWith('POST'));

/** A service that records created servers, uploads and the body of each create. */
const rememberingService = async (routes: Partial<Routes> = {}) => {
	const created: Body[] = [];
	const files = new Map<string, Body>();
	const listed: object[] = [];
	const service = await startHostileService({
		servers: () => success({servers: listed}),
		create(asked) {
			created.push(bodyOf(asked));
			listed.push(
				serverItem(String(bodyOf(asked)['server_name']), {server_request: bodyOf(asked)['server_request']}),
			);
			return success(startedServer(String(bodyOf(asked)['server_name'])));
		},
		upload(asked): Answer {
			files.set(asked.path, bodyOf(asked));
			return success({
				content: {...bodyOf(asked), name: asked.path, path: asked.path, content: null, format: null},
			});
		},
		file({path}) {
			const file = files.get(path);
			return file ? success({content: {...file, name: path, path}}) : json({error: 'nothing there'}, 404);
		},
		...routes,
	});
	return {service, created, files, listed};
};

test('a recipe makes a server on the local service, with its files byte for byte and its warm-up code; a second run makes no second one', async () => {
	const bytes = randomBytes(5000);
	await write({
		'work/up.yaml': recipe(
			'cpu price<1',
			'files:\n  train.py: src/train.py\n  data/*.bin: data/\n  more: ./\nrun: |\n  import sys\n  sys.path.insert(0, "src")\n  import train\n  train.answer\n',
		),
		'work/train.py': 'answer = 42\n',
		'work/data/one.bin': bytes,
		'work/data/left.txt': 'not of the pattern',
		'work/more/deep/wide.txt': '広い\n',
	});
	await using service = await serve(home);
	const first = await service.run(['up', 'work/up.yaml', '--yes']);
	expect(first.stderr).toBe(
		[
			'The cheapest available match: svc-medium, 0.00/h (Medium CPU, 1 CPU, 4G; default).',
			'trainer was created.',
			'trainer is ready.',
			'1/3 src/train.py, 12 bytes',
			'2/3 data/one.bin, 5,000 bytes',
			'3/3 more/deep/wide.txt, 7 bytes',
			'Running the warm-up code.',
			'',
		].join('\n'),
	);
	expect(first).toMatchObject({
		code: 0,
		stdout: expect.stringMatching(/^42\ntrainer is ready, 0\.00\/h, http:\S+\/trainer\/\?token=…\n$/),
	});
	expect(
		Buffer.from(
			(
				JSON.parse((await service.run(['files', 'get', 'trainer', 'data/one.bin', '--json'])).stdout) as {
					content: string;
				}
			).content,
			'base64',
		).equals(bytes),
	).toBe(true);

	await write({'work/train.py': 'answer = 43\n'});
	const second = await service.run(['up', 'work/up.yaml', '--json']);
	expect(second.code).toBe(0);
	expect(JSON.parse(second.stdout)).toMatchObject({
		name: 'trainer',
		status: 'ready',
		done: 'used',
		uploaded: [{path: 'src/train.py', bytes: 12}],
		unchanged: ['data/one.bin', 'more/deep/wide.txt'],
		cell: {outputs: [{data: {'text/plain': '42'}}]},
	});
	expect(
		second.stderr
			.trimEnd()
			.split('\n')
			.map(line => JSON.parse(line) as unknown)[0],
	).toEqual({note: 'trainer is already ready, on svc-medium, 0.00/h. It is used as is.'});
	expect(JSON.parse((await service.run(['servers', '--json'])).stdout)).toMatchObject([
		{name: 'welcome'},
		{name: 'trainer'},
	]);
});

test('warm-up code that raises ends with 6, and the server stays as it is', {tags: 'long'}, async () => {
	await write({'up.yaml': recipe('cpu', 'run: 1/0\n')});
	await using service = await serve(home);
	expect(await service.run(['up', 'up.yaml', '--yes'])).toMatchObject({
		code: 6,
		stdout: expect.stringMatching(/^trainer is ready, /),
		stderr: expect.stringContaining('ZeroDivisionError: division by zero'),
	});
	expect(await service.run(['up', 'up.yaml', '--jsonl'])).toMatchObject({
		code: 6,
		stdout: expect.stringMatching(/^\{.*"ename":"ZeroDivisionError".*\}\n$/),
	});
});

test(
	'of several prices the cheapest available match is taken, after a question in a terminal',
	{tags: 'long'},
	async () => {
		await using market = await startMarketService();
		const listed: object[] = [];
		market.answer({
			servers: () => success({servers: listed}),
			create(asked) {
				listed.push(serverItem('trainer', {server_request: bodyOf(asked)['server_request']}));
				return success(startedServer('trainer', {hourly_rate: Number(listed.length)}));
			},
		});
		await write({'up.yaml': recipe('gpu:a100 n>=2')});
		const cheapest = JSON.parse(
			(
				await runHere(['compute', '--query', 'gpu:a100 n>=2 avail', '--sort', 'price', '--json'], {
					home,
					env: market.env,
				})
			).stdout,
		) as readonly {readonly compute_id: string; readonly hourly_price: number}[];
		const best = cheapest[0]!;
		expect(cheapest.length).toBeGreaterThan(1);
		expect(cheapest.at(-1)!.hourly_price).toBeGreaterThan(best.hourly_price);
		const dry = await runHere(['up', 'up.yaml', '--dry-run', '--json'], {home, env: market.env});
		expect(JSON.parse(dry.stdout)).toEqual({
			dry_run: true,
			server_name: 'trainer',
			action: 'create',
			server_request: best.compute_id,
			hourly_price: best.hourly_price,
			uploads: [],
			run: null,
		});

		const pipe = await runHere(['up', 'up.yaml'], {home, env: market.env});
		expect(pipe).toMatchObject({
			code: 2,
			stdout: '',
			stderr: expect.stringContaining(
				`Creating trainer on ${best.compute_id} costs ${best.hourly_price.toFixed(2)}/h; confirmation needs a terminal.\nAccept with --yes`,
			),
		});
		const question = new RegExp(
			`Create trainer on it for ${best.hourly_price.toFixed(2)}/h\\? Type y for yes: `,
		);
		expect(
			await onTerminal(['up', 'up.yaml'], {home, env: market.env, type: {after: question, text: '\r'}}),
		).toMatchObject({code: 1, text: expect.stringContaining('Not confirmed: nothing was done.')});
		expect(posts(market)).toEqual([]);
		expect(
			await onTerminal(['up', 'up.yaml'], {home, env: market.env, type: {after: question, text: 'y\r'}}),
		).toMatchObject({code: 0, text: expect.stringContaining('trainer is ready, 1.00/h')});
		expect(listed).toMatchObject([{server_request: best.compute_id}]);
	},
);

test(
	'without a match, the nearest available option is named with its price, and no server is created',
	{tags: 'long'},
	async () => {
		await using service = await startHostileService({
			servers: () => success({servers: []}),
			compute: compute(
				offer('H100', 2.5, {availability: [{available: false, region: 'eu-1'}]}),
				offer('H100', 3.1, {compute_id: 'other-H100x1'}),
				offer('A100', 1.2),
			),
		});
		const run = async (query: string, ...more: readonly string[]) => {
			await write({'up.yaml': recipe(query)});
			return runHere(['up', 'up.yaml', '--yes', ...more], {home, env: service.env});
		};
		expect(await run('gpu:h100 price<3')).toMatchObject({
			code: 3,
			stderr: expect.stringMatching(
				/^No match for gpu:h100 price<3 is available now\. The nearest available option is other-H100x1, 3\.10\/h\.\nsvc-tui compute watch/,
			),
		});
		expect(await run('gpu:a100 price<1')).toMatchObject({
			code: 3,
			stderr: expect.stringMatching(
				/^Nothing matches gpu:a100 price<1\. Without price<1 the cheapest is cloud-A100x1, 1\.20\/h\.\n/,
			),
		});
		expect(await run('gpu:a100', '--max-price', '1')).toMatchObject({
			code: 3,
			stderr: expect.stringContaining('Without price<=1 the cheapest is cloud-A100x1, 1.20/h.'),
		});
		expect(await run('gpu:b200')).toMatchObject({
			code: 3,
			stderr: expect.stringContaining('No option has the GPU b200; the catalogue has A100, H100.'),
		});
		expect(posts(service)).toEqual([]);
	},
);

test(
	'a price that moved between the list and the create is reported with both numbers; above --max-price nothing more is done',
	{tags: 'long'},
	async () => {
		const {service, created, files} = await rememberingService({compute: compute(offer('A100', 2))});
		await using _ = service;
		await write({'up.yaml': recipe('gpu:a100', 'files: {a.txt: a.txt}'), 'a.txt': 'a'});
		const within = await runHere(['up', 'up.yaml', '--yes', '--max-price', '2'], {home, env: service.env});
		expect(within).toMatchObject({
			code: 1,
			stdout: '',
			stderr: expect.stringContaining(
				'trainer costs 2.49/h; the catalogue listed 2.00/h. That is above --max-price 2, so nothing more was done.\nThe server is running and costs money.',
			),
		});
		expect([...files.keys()]).toEqual([]);
		expect(await runHere(['up', 'up.yaml', '--yes'], {home, env: service.env})).toMatchObject({
			code: 0,
			stderr: expect.stringContaining('trainer is already ready, on cloud-A100x1, 2.49/h. It is used as is.'),
		});
		expect(created).toHaveLength(1);

		const other = await rememberingService({compute: compute(offer('A100', 2))});
		await using anotherService = other.service;
		expect(await runHere(['up', 'up.yaml', '--yes'], {home, env: anotherService.env})).toMatchObject({
			code: 0,
			stdout: expect.stringMatching(/^trainer is ready, 2\.49\/h/),
			stderr: expect.stringContaining('trainer costs 2.49/h; the catalogue listed 2.00/h.\n'),
		});
		expect([...other.files.keys()]).toEqual(['a.txt']);
	},
);

test('a price that moved while the question was open is asked again', async () => {
	let looks = 0;
	const {service, created} = await rememberingService({
		compute: () => success({compute: [offer('A100', looks++ === 0 ? 2 : 2.2)]}),
	});
	await using _ = service;
	await write({'up.yaml': recipe('gpu:a100')});
	const {code, text} = await onTerminal(['up', 'up.yaml'], {
		home,
		env: service.env,
		type: [
			{after: /for 2\.00\/h\? Type y for yes: /, text: 'y\r'},
			{after: /for 2\.20\/h\? Type y for yes: /, text: 'no\r'},
		],
	});
	expect({code, created}).toEqual({code: 1, created: []});
	expect(text).toContain('The catalogue changed after the question.');
});

test('an upload that fails half-way reports its progress, and the same command continues without a second server', async () => {
	let broken = true;
	const {service, created, files} = await rememberingService({compute: compute(offer('A100', 2.49))});
	await using _ = service;
	service.answer({
		upload(asked) {
			if (broken && asked.path === 'b.txt') return json({error: 'the disk is full'}, 507);
			files.set(asked.path, bodyOf(asked));
			return success({
				content: {...bodyOf(asked), name: asked.path, path: asked.path, content: null, format: null},
			});
		},
	});
	await write({
		'up.yaml': recipe('gpu:a100', 'files:\n  a.txt: ./\n  b.txt: ./\n  c.txt: ./\nrun: print("warm")\n'),
		'a.txt': 'a',
		'b.txt': 'b',
		'c.txt': 'c',
	});
	const first = await runHere(['up', 'up.yaml', '--yes'], {home, env: service.env});
	expect(first).toMatchObject({
		code: 1,
		stdout: '',
		stderr: expect.stringMatching(
			/1\/3 a\.txt, 1 byte\nb\.txt was not uploaded: [^\n]*the disk is full[^]*1 of 3 files was uploaded\. The server is running\.[^\n]* Run svc-tui up up\.yaml to continue\.\n$/,
		),
	});
	broken = false;
	const second = await runHere(['up', 'up.yaml'], {home, env: service.env});
	expect(second).toMatchObject({
		code: 0,
		stderr: expect.stringContaining(
			'1/3 a.txt is already there\n2/3 b.txt, 1 byte\n3/3 c.txt, 1 byte\nRunning the warm-up code.\n',
		),
	});
	expect(created).toHaveLength(1);
	expect([...files].map(([path, {content}]) => [path, content])).toEqual([
		['a.txt', 'a'],
		['b.txt', 'b'],
		['c.txt', 'c'],
	]);
});

test('a create whose answer is lost is looked up and not sent again', async () => {
	const {service, listed} = await rememberingService({compute: compute(offer('A100', 2))});
	await using _ = service;
	service.answer({
		create() {
			listed.push(serverItem('trainer'));
			throw new Error('no answer');
		},
	});
	await write({'up.yaml': recipe('gpu:a100')});
	expect(await runHere(['up', 'up.yaml', '--yes'], {home, env: service.env})).toMatchObject({
		code: 0,
		stdout: expect.stringMatching(/^trainer is ready, https:/),
		stderr: expect.stringContaining('nothing is sent twice.'),
	});
	expect(posts(service)).toEqual(['POST /api/servers']);
});

test('a region of the catalogue is that one, also for a server that is there already', async () => {
	const at = (region: string) => ({availability: [{available: true, region}]});
	await using service = await startHostileService({
		servers: () => success({servers: [serverItem('trainer', {status: 'spawning', server_request: 'here'})]}),
		compute: compute(
			offer('A100', 2, {compute_id: 'here', ...at('us-east-1')}),
			offer('A100', 3, {compute_id: 'there', ...at('us')}),
		),
	});
	await write({'up.yaml': recipe('gpu:a100 region:us')});
	const {stderr} = await runHere(['up', 'up.yaml', '--timeout', '0.2'], {home, env: service.env});
	expect(stderr).toContain('It is used as is, although the recipe asks for another compute option.');
});

test('an offline server of that name is started on the cheapest; a starting one is awaited', async () => {
	let state = 'offline';
	const started: Body[] = [];
	await using service = await startHostileService({
		servers: () => success({servers: [serverItem('trainer', {status: state, port: 9999})]}),
		compute: compute(offer('A100', 2), offer('A100', 1.5, {compute_id: 'cheap-A100x1'})),
		start(asked) {
			started.push(bodyOf(asked));
			state = 'ready';
			return success(startedServer('trainer', {hourly_rate: 1.5}));
		},
		run: ({body}) => success({content: executedCell(body, [])}),
	});
	await write({'up.yaml': recipe('gpu:a100')});
	expect(await runHere(['up', 'up.yaml', '--yes'], {home, env: service.env})).toMatchObject({
		code: 0,
		stdout: expect.stringMatching(/^trainer is ready, 1\.50\/h/),
		stderr: expect.stringContaining('trainer was started.\n'),
	});
	expect(started).toEqual([{environment: 'ai', port: 9999, server_request: 'cheap-A100x1'}]);
	state = 'spawning';
	expect(await runHere(['up', 'up.yaml', '--timeout', '0.2'], {home, env: service.env})).toMatchObject({
		code: 5,
		stderr: expect.stringMatching(
			/^trainer is already there \(spawning\), on svc-medium\. It is used as is, although the recipe asks for another compute option\.\n"trainer" is not ready after 0\.2 s/,
		),
	});
	expect(posts(service)).toHaveLength(1);
});

const wrong: readonly (readonly [string, string, RegExp])[] = [
	['an empty recipe', '', /^up\.yaml:1:1: The recipe is empty\.\nsvc-tui up --help shows a whole recipe\.\n/],
	['a list', '- a\n', /^up\.yaml:1:1: A recipe is lines such as server: NAME\.\n/],
	['broken YAML', 'server: a\ncompute: "gpu\n', /^up\.yaml:3:1: This is not valid YAML: /],
	[
		'a tab',
		'server: a\nfiles:\n\ta: b\n',
		/^up\.yaml:3:1: This is not valid YAML[^\n]*\nUse spaces in place of tabs\.\n/,
	],
	[
		'a name twice',
		`${recipe('cpu')}server: b\n`,
		/^up\.yaml:4:1: This is not valid YAML: Map keys must be unique\.\n/,
	],
	[
		'a misspelt name',
		`${recipe('cpu')}prot: 1\n`,
		/^up\.yaml:4:1: A recipe has no "prot"; did you mean port\?\nIts keys are server, environment, compute, /,
	],
	[
		'a missing name',
		'server: a\ncompute: cpu\n',
		/^up\.yaml:1:1: The recipe has no environment\.\nAdd a line environment: with an environment id \(see svc-tui environments\)\.\n/,
	],
	[
		'a port that is none',
		`${recipe('cpu')}port: 70000\n`,
		/^up\.yaml:4:7: port must be a whole number from 1 to 65535\.\n/,
	],
	[
		'a query that cannot be read',
		recipe('gpu:a100 prise<3'),
		/^up\.yaml:3:19: Unknown field prise; did you mean price<=\?\nsvc-tui compute --help shows the query\.\n/,
	],
	['a query in quotes', recipe("'vram>=much'"), /^up\.yaml:3:11: /],
	[
		'a file that is not there',
		recipe('cpu', 'files:\n  nowhere.py: a.py\n'),
		/^up\.yaml:5:3: nowhere\.py cannot be read: there is no such file or folder\.\n/,
	],
	[
		'a pattern that fits nothing',
		recipe('cpu', 'files:\n  "*.csv": data/\n'),
		/^up\.yaml:5:3: No file matches \*\.csv\.\n/,
	],
	[
		'several files to one path',
		recipe('cpu', 'files:\n  "*.yaml": all\n'),
		/^up\.yaml:5:3: \*\.yaml may be several files, which need a destination folder\.\nWrite all\/ with a trailing \//,
	],
	[
		'two files to one path',
		recipe('cpu', 'files:\n  up.yaml: same\n  other/up.yaml: same\n'),
		/^up\.yaml:6:3: Both \S+ and \S+ would be uploaded to same\.\n/,
	],
	[
		'a file that goes nowhere',
		recipe('cpu', 'files:\n  up.yaml:\n'),
		/^up\.yaml:5:\d+: The destination of "up\.yaml" must be a path on the server\.\n/,
	],
	[
		'too many aliases',
		'server: &a [x, x]\nenvironment: &b [*a, *a, *a, *a, *a, *a]\ncompute: &c [*b, *b, *b, *b, *b, *b]\nfiles: [*c, *c, *c, *c, *c, *c]\n',
		/^up\.yaml:\d+:\d+: /,
	],
];

test.each(wrong)(
	'%s is reported with file, line, column and what to do, before any service is asked',
	async (_, text, said) => {
		await write({'up.yaml': text, 'other/up.yaml': ''});
		const {code, stdout, stderr} = await runHere(['up', 'up.yaml', '--yes'], {
			home,
			env: {SVC_BASE_URL: 'http://127.0.0.1:9', SVC_API_KEY: 'key'},
		});
		expect({code, stdout}).toEqual({code: 2, stdout: ''});
		expect(stderr).toMatch(said);
	},
);

test('an environment that the service does not have is reported with its place in the recipe', async () => {
	await using service = await startHostileService({servers: () => success({servers: []})});
	await write({'up.yaml': 'server: a\nenvironment: pytorhc\ncompute: gpu:a100\n'});
	expect(await runHere(['up', 'up.yaml', '--yes', '--json'], {home, env: service.env})).toMatchObject({
		code: 2,
		stderr: `${JSON.stringify({error: {code: 'config', message: 'up.yaml:2:14: There is no environment pytorhc; the environments are ai.', next: 'Correct it and try again; nothing was done.'}})}\n`,
	});
	expect(posts(service)).toEqual([]);
});

test(
	'hostile texts in a recipe, a catalogue and the outputs do not reach the terminal',
	{tags: 'long'},
	async () => {
		const whole = CASES.join(' ').toWellFormed().replaceAll('\0', '');
		const {service} = await rememberingService({
			compute: compute(
				offer(whole, 2, {
					compute_id: whole,
					memory: whole,
					vram_per_gpu: whole,
					availability: [{available: true, region: whole}],
				}),
			),
			environments: () => success({environments: [{environment_id: whole, name: whole, description: whole}]}),
			run: ({body}) =>
				success({
					content: executedCell(body, [
						{output_type: 'error', ename: whole, evalue: whole, traceback: [whole]},
					]),
				}),
		});
		await using _ = service;
		const at = {home, env: service.env};
		const make = async (more: object): Promise<void> =>
			write({
				'up.yaml': JSON.stringify({
					server: whole.slice(0, 200),
					environment: whole,
					compute: 'price<3',
					run: whole,
					files: {'up.yaml': 'a/'},
					...more,
				}),
			});
		await make({});
		expect(await onScreen(['up', 'up.yaml', '--yes'], at)).toMatchObject({
			code: 6,
			text: expect.stringContaining('1/1 a/up.yaml'),
		});
		await make({server: 'other'});
		expect(await onScreen(['up', 'up.yaml', '--dry-run'], at)).toMatchObject({code: 0});
		for (const broken of [
			{[whole]: 1},
			{environment: 'x', server: 'third'},
			{files: {[whole.slice(0, 100)]: 'a'}},
			{compute: `${whole}<>`},
		]) {
			await make(broken);
			expect(await onScreen(['up', 'up.yaml', '--yes'], at)).toMatchObject({
				code: 2,
				text: expect.stringMatching(/^up\.yaml:\d+:\d+: /),
			});
		}
	},
);
