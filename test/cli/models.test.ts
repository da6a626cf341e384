import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {chmod, mkdir, readdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {firstOutput} from '../support/first-output.ts';
import {startModelServer, type ModelServer} from '../support/model-server.ts';
import {newHome, PROGRAM, runCommand, type Home} from '../support/program.ts';
import {waitFor} from '../support/wait-for.ts';

const CANARY = 'sk-canary-4711-never-shown-0123456789';

const echoing = async (): Promise<ModelServer> =>
	startModelServer(async stream => {
		await stream.text(`I am ${stream.asked.body.model}.`);
		await stream.finish();
		await stream.usage(3, 4);
		await stream.done();
	});

const settingsOf = ({folder}: Home): string => join(folder, '.config/svc-tui/models.json');

const withModels = async (home: Home, models: unknown): Promise<string> => {
	const file = settingsOf(home);
	await mkdir(join(file, '..'), {recursive: true});
	await writeFile(file, typeof models === 'string' ? models : JSON.stringify(models));
	return file;
};

const read = async (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

/** Environment variables of the running processes that the local service has started. */
const environmentsOfChildren = async (home: Home): Promise<readonly string[]> => {
	const {pid} = JSON.parse(
		(await read(join(home.folder, '.local/share/svc-tui/service/instance.json'))) || '{}',
	) as {readonly pid?: number};
	const children = (
		await Promise.all(
			(await readdir(`/proc/${pid}/task`).catch(() => [])).map(async task =>
				read(`/proc/${pid}/task/${task}/children`),
			),
		)
	).join(' ');
	return Promise.all((children.match(/\d+/g) ?? []).map(async child => read(`/proc/${child}/environ`)));
};

test('the auto-started service has the key of its variable; its Python has not', {tags: 'long'}, async () => {
	await using home = await newHome();
	await using server = await echoing();
	await withModels(home, {model_2: {baseUrl: server.baseUrl, model: 'tiny', keyVariable: 'MY_MODEL_KEY'}});
	const env = {MY_MODEL_KEY: CANARY, SVC_API_KEY: 'of-another-service'};
	// While this cell runs, the service does not stop.
	const cell = spawn(
		PROGRAM,
		['run', 'welcome', '-c', 'open("on", "w").close()\nimport time\nwhile True: time.sleep(0.01)'],
		{env: {...home.env, ...env}, cwd: home.folder, stdio: 'ignore'},
	);
	try {
		await waitFor(
			async () =>
				expect((await runCommand(['files', 'list', 'welcome'], {home, env})).stdout).toMatch(/^on\b/m),
			{interval: 100},
		);
		expect(await runCommand(['chat', 'welcome', 'who are you?'], {home, env})).toMatchObject({
			code: 0,
			stdout: 'I am tiny.',
			stderr: '',
		});
		expect(server.asked[0]?.headers.authorization).toBe(`Bearer ${CANARY}`);
		const environments = await environmentsOfChildren(home);
		expect(environments.length).toBeGreaterThan(0);
		expect(environments.join('\n')).not.toMatch(/canary|MY_MODEL_KEY/);
		expect(await read(join(home.folder, '.local/share/svc-tui/service/service.log'))).not.toContain('canary');
	} finally {
		const exit = once(cell, 'exit');
		cell.kill('SIGINT');
		await exit;
	}
});

test('settings that cannot be used are reported by every command that needs the service', async () => {
	await using home = await newHome();
	const file = await withModels(home, {
		model_2: {baseUrl: 'http://127.0.0.1:1/v1', model: 'tiny', apiKey: CANARY},
	});
	const {code, stdout, stderr} = await runCommand(['servers'], {home});
	expect({code, stdout}).toEqual({code: 2, stdout: ''});
	expect(stderr).toContain(`${file}: model_2.apiKey: do not put keys in this file`);
	expect(stderr).not.toContain('canary');
});

test(
	'serve takes other settings with --models, and refuses an open key file with 77',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		await using server = await echoing();
		await withModels(home, 'not read');
		const file = join(home.folder, 'mine.json');
		const key = join(home.folder, 'key');
		await writeFile(key, CANARY);
		await writeFile(file, JSON.stringify({model_5: {baseUrl: server.baseUrl, model: 'tiny', keyFile: key}}));
		await chmod(key, 0o644);
		const data = join(home.folder, 'data');
		const refused = await runCommand(['serve', '--data', data, '--models', 'mine.json'], {home});
		expect(refused).toMatchObject({code: 77, stdout: ''});
		expect(refused.stderr).toContain(
			`mine.json: model_5.keyFile ${key} must be private; run chmod 600 on it.`,
		);
		expect(await runCommand(['serve', '--data', data, '--models', 'no.json'], {home})).toMatchObject({
			code: 2,
			stderr: expect.stringContaining('no.json cannot be read: there is no such file'),
		});
		await chmod(key, 0o600);
		const service = spawn(PROGRAM, ['serve', '--data', data, '--models', 'mine.json'], {
			env: home.env,
			cwd: home.folder,
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		try {
			const line = await firstOutput(service);
			const env = {
				SVC_BASE_URL: /http:\S+/.exec(line)?.[0] ?? '',
				SVC_API_KEY: await read(join(data, 'key')),
			};
			await runCommand(['server', 'start', 'welcome', '--wait'], {home, env});
			const {stdout} = await runCommand(['chat', 'welcome', 'who are you?', '-m', 'model_5', '--json'], {
				home,
				env,
			});
			expect(JSON.parse(stdout)).toMatchObject({
				content: 'I am tiny.',
				finishReason: 'stop',
				usage: {promptTokens: 3, completionTokens: 4},
			});
			expect(server.asked[0]?.headers.authorization).toBe(`Bearer ${CANARY}`);
		} finally {
			const exit = once(service, 'exit');
			service.kill('SIGTERM');
			await exit;
		}
	},
);

test('info shows for each model its source, sends no request and shows no key', async () => {
	await using home = await newHome();
	const none = await runCommand(['info'], {home});
	expect(none.stdout).toMatch(new RegExp(`local assistant +settings +${settingsOf(home)}\\n`));
	expect(none.stdout.match(/model_\d +built-in reference assistant\n/g)).toHaveLength(5);
	await using server = await echoing();
	await withModels(home, {
		model_1: {baseUrl: server.baseUrl, model: 'llama3'},
		model_2: {
			baseUrl: 'https://api.example.com/v1',
			model: 'gpt',
			name: 'Example',
			keyVariable: 'MY_MODEL_KEY',
		},
		model_4: {baseUrl: 'https://api.example.com/v1', model: 'gpt', keyFile: '/nowhere/key'},
	});
	const lines = async (env: Readonly<Record<string, string>> = {}) =>
		(await runCommand(['info'], {home, env})).stdout
			.split('\n')
			.map(line => line.trim().replaceAll(/ +/g, ' '))
			.filter(line => line.startsWith('model_'));
	expect(await lines()).toEqual([
		`model_1 llama3 at ${server.host}`,
		'model_2 Example (gpt) at api.example.com, key from MY_MODEL_KEY, not set',
		'model_3 built-in reference assistant',
		'model_4 gpt at api.example.com, key from /nowhere/key',
		'model_5 built-in reference assistant',
	]);
	expect((await lines({MY_MODEL_KEY: CANARY}))[1]).toBe(
		'model_2 Example (gpt) at api.example.com, key from MY_MODEL_KEY, set',
	);
	const json = await runCommand(['info', '--json'], {home, env: {MY_MODEL_KEY: CANARY}});
	expect(JSON.parse(json.stdout)).toMatchObject({
		assistant: {
			file: settingsOf(home),
			problem: null,
			models: {
				model_1: {model: 'llama3', name: null, host: server.host, key: null},
				model_2: {model: 'gpt', name: 'Example', host: 'api.example.com', key: 'MY_MODEL_KEY, set'},
				model_3: null,
			},
		},
	});
	expect(json.stdout).not.toContain('canary');
	expect(server.asked).toEqual([]);
});

test('info shows errors of the settings, and all the rest', async () => {
	await using home = await newHome();
	const file = await withModels(home, '{\n"model_2": x\n}');
	const {code, stdout, stderr} = await runCommand(['info'], {home});
	expect({code, stderr}).toEqual({code: 0, stderr: ''});
	expect(stdout).toContain(`${file}: line 2 is not JSON; the file should look like {"model_2": `);
	expect(stdout).toMatch(/^versions +svc-tui /m);
	expect(JSON.parse((await runCommand(['info', '--json'], {home})).stdout)).toMatchObject({
		assistant: {models: null, problem: expect.stringContaining('line 2')},
	});
});
