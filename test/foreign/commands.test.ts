import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {label} from '../../src/text/safe.ts';
import {startHostileService, type HostileService} from '../faults/hostile-service.ts';
import {newSeed} from '../support/random.ts';
import {FIXED_SEEDS, foreignService, RAISES, refusalOf} from './foreign-service.ts';
import {runHere, type Ran} from './run-in-process.ts';

/** Seed of the first service, different in each run. `SEED=n` starts with n. */
const FIRST = newSeed();
const COUNT = 40;
const SEEDS = [...FIXED_SEEDS, ...Array.from({length: COUNT}, (_, at) => FIRST + at)];
const KEY = 'key-of-the-foreign-service';

let service: HostileService;
let folder = '';
beforeAll(async () => {
	service = await startHostileService();
	folder = await mkdtemp(join(tmpdir(), 'svc-tui-foreign-'));
	await writeFile(join(folder, 'up.txt'), 'mine');
});
afterAll(async () => {
	await service[Symbol.asyncDispose]();
	await rm(folder, {recursive: true, force: true});
});

const run = async (args: readonly string[], input?: string): Promise<Ran> =>
	runHere(args, {baseUrl: service.baseUrl, apiKey: KEY, ...(input !== undefined && {input})});

test('every operation works on services that decide the open points otherwise', {tags: 'long'}, async () => {
	for (const seed of SEEDS) {
		const foreign = foreignService(seed);
		service.answer(foreign.routes);
		const all: Ran[] = [];
		const did = async (...args: readonly string[]): Promise<Ran> => {
			const ran = await run(args);
			all.push(ran);
			return ran;
		};
		const {ready, offline} = foreign;
		const said = `seed ${seed}`;

		const list = await did('servers');
		expect(list, said).toMatchObject({code: 0});
		for (const {name, state, port} of foreign.servers) {
			const row = list.stdout.split('\n').find(line => line.startsWith(`${label(name)} `));
			expect(row, `${said}: ${name}`).toContain(label(state, 20));
			expect(row?.trim().split(/\s+/).at(-1), `${said}: port of ${name}`).toBe(
				port === null ? '?' : String(port),
			);
		}
		const options = await did('compute');
		for (const {id} of foreign.compute)
			expect(options, said).toMatchObject({code: 0, stdout: expect.stringContaining(id)});
		const known = await did('environments');
		for (const id of foreign.environments)
			expect(known, said).toMatchObject({code: 0, stdout: expect.stringContaining(id)});
		expect(JSON.parse((await run(['servers', '--json'])).stdout), said).toHaveLength(foreign.servers.length);

		expect(
			await did('server', 'create', 'new-one', '--environment', 'ai', '--compute', 'svc-medium'),
			said,
		).toMatchObject({code: 0, stdout: expect.stringContaining('new-one is starting')});
		expect(await did('server', 'start', offline), said).toMatchObject({
			code: 0,
			stdout: expect.stringContaining('is starting'),
		});
		expect(await did('server', 'wait', ready), said).toMatchObject({
			code: 0,
			stdout: expect.stringContaining('is ready'),
		});
		expect(await did('server', 'open', ready, '--print'), said).toMatchObject({
			code: 0,
			stdout: expect.stringContaining('https://lab.example/'),
		});

		expect(await did('files', 'get', ready, 'a.txt'), said).toMatchObject({code: 0, stdout: foreign.file});
		expect(await did('files', 'put', ready, join(folder, 'up.txt'), 'up.txt'), said).toMatchObject({code: 0});
		const files = await did('files', 'list', ready);
		if (foreign.listsFolders)
			expect(files, said).toMatchObject({code: 0, stdout: expect.stringContaining('a.txt')});
		else
			expect(files, said).toMatchObject({
				code: expect.toSatisfy(code => code === 1 || code === 3),
				stderr: expect.stringContaining('This service may not list folders'),
			});

		expect(await did('run', ready, '-c', 'print(1)'), said).toMatchObject({
			code: 0,
			stdout: expect.stringContaining(foreign.printed),
		});
		expect(await did('run', ready, '-c', RAISES), said).toMatchObject({
			code: 6,
			stdout: expect.stringContaining(foreign.printed),
			stderr: expect.stringContaining('it raised'),
		});
		const chat = await did('chat', ready, 'why?');
		// If a connection is reset, the last bytes may be lost.
		if (foreign.answer.end === 'cut')
			expect(foreign.answer.text.startsWith(chat.stdout.replace(/\n$/, '')), `${said}: ${chat.stdout}`).toBe(
				true,
			);
		else expect(chat.stdout, said).toContain(foreign.answer.text);
		expect(chat.code, said).toBe({whole: 0, error: 1, cut: 5}[foreign.answer.end]);
		if (foreign.answer.end === 'error') expect(chat.stderr, said).toContain(foreign.answer.problem);

		const shown = all.map(({stdout, stderr}) => stdout + stderr).join('\n');
		expect(shown, said).not.toContain(KEY);
		for (const token of foreign.tokens)
			expect(shown.includes(token), `${said}: ${token} is visible`).toBe(false);
	}
});

const OPERATIONS: readonly (readonly [
	route: 'servers' | 'compute' | 'environments' | 'create' | 'start' | 'file' | 'upload' | 'run' | 'chat',
	args: (server: string, folder: string) => readonly string[],
])[] = [
	['servers', () => ['servers']],
	['compute', () => ['compute']],
	['environments', () => ['environments']],
	['create', () => ['server', 'create', 'new-one', '--environment', 'ai', '--compute', 'cloud0-first']],
	['start', () => []],
	['file', server => ['files', 'get', server, 'a.txt']],
	['upload', (server, at) => ['files', 'put', server, join(at, 'up.txt'), 'up.txt']],
	['run', server => ['run', server, '-c', '1']],
	['chat', server => ['chat', server, 'why?']],
];

test("each refused operation gives the service's own reason and ends with its code, as text and as JSON", async () => {
	for (const [at, seed] of SEEDS.entries()) {
		const foreign = foreignService(seed);
		const refusal = refusalOf(seed);
		const [route, argsOf] = OPERATIONS[at % OPERATIONS.length]!;
		const args = route === 'start' ? ['server', 'start', foreign.offline] : argsOf(foreign.ready, folder);
		service.answer({...foreign.routes, [route]: () => refusal.answer});
		const said = `seed ${seed}: ${args.join(' ')} answered ${refusal.answer.status} ${String(refusal.answer.body)}`;
		const plain = await run(args);
		expect(plain.stderr, said).toContain(refusal.words);
		// Every valid key may list servers. On other paths, 403 may be about the request instead of
		// the key.
		const due = refusal.answer.status === 403 && route === 'servers' ? 4 : refusal.code;
		// If a name is missing in the service's lists, that reason is reported.
		const isUnknown = plain.code === 3 && /^There is no (?:environment|compute option)/.test(plain.stderr);
		if (!isUnknown) expect(plain.code, said).toBe(due);
		const json = await run([...args, '--json']);
		expect(JSON.parse(json.stderr.trim().split('\n').at(-1) ?? ''), said).toMatchObject({
			error: {message: expect.stringContaining(refusal.words)},
		});
		expect(json.code, said).toBe(plain.code);
	}
});
