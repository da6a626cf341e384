import xterm from '@xterm/headless';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {newHome, type Home} from '../support/program.ts';
import {runHere} from '../support/run-here.ts';
import {recordEvents} from '../support/terminal-events.ts';
import {HOSTILE_TEXTS} from '../text/hostile-text.ts';
import {canned, list, onTerminal, serverItem, type Answers} from './support.ts';

let home: Home;
beforeAll(async () => {
	home = await newHome();
});
afterAll(async () => home[Symbol.asyncDispose]());

const hostile = HOSTILE_TEXTS.map(({text}) => text).join(' ');
const cell = (...outputs: readonly unknown[]) => ({
	content: {cell_type: 'code', execution_count: 1, metadata: {}, source: '', outputs},
	status: 'success',
});
const file = (content: string) => ({
	name: hostile,
	path: hostile,
	serverPath: hostile,
	type: 'file',
	format: 'text',
	content,
	mimetype: 'text/plain',
	size: 1,
	created: hostile,
	last_modified: hostile,
	writable: true,
});
const option = {
	name: `${hostile} (1x)`,
	cloud_host: hostile,
	compute_id: hostile,
	cpus: 1,
	memory: hostile,
	num_gpus: 1,
	vram_per_gpu: hostile,
	total_vram: hostile,
	hourly_price: 1,
	availability: [{available: true, region: hostile}],
};
const HOSTILE: Answers = {
	'GET /api/servers': list(
		'servers',
		serverItem('s'),
		serverItem(hostile, hostile, {environment: hostile, server_request: hostile, url: hostile}),
	),
	'GET /api/compute': list('compute', option),
	'GET /api/environments': list('environments', {
		environment_id: hostile,
		name: hostile,
		description: hostile,
	}),
	'GET /api/servers/s/files/': {
		content: {...file(''), type: 'directory', content: [file('')]},
		status: 'success',
	},
	'GET /api/servers/s/files/a': {content: file(hostile), status: 'success'},
	'POST /api/servers/s/run-code': cell(
		{output_type: 'stream', name: 'stdout', text: hostile},
		{output_type: 'stream', name: 'stderr', text: hostile},
		{output_type: 'execute_result', data: {'text/plain': hostile}},
		{output_type: 'display_data', data: {[hostile]: ''}},
		{output_type: hostile},
		{output_type: 'error', ename: hostile, evalue: hostile, traceback: [hostile, hostile]},
	),
	'POST /api/assistant/s/model_2': `f:{"messageId":"m"}\n${HOSTILE_TEXTS.map(({text}) => `0:${JSON.stringify(text)}\n`).join('')}3:${JSON.stringify(hostile)}\n`,
	'POST /api/servers': {status: hostile, message: hostile},
};

const COMMANDS = [
	['servers'],
	['compute'],
	['environments'],
	['files', 'list', 's'],
	['files', 'get', 's', 'a'],
	['run', 's', '-c', '1'],
	['chat', 's', 'hi'],
	['server', 'create', hostile.replaceAll('\0', ''), '--environment', 'e', '--compute', 'c'],
	['run', hostile.replaceAll('\0', ''), '-c', '1'],
	[hostile.replaceAll('\0', '')],
	['compute', '--region', 'none'],
	['compute', '--gpu', 'none'],
];

/** Everything that the text makes a terminal do besides showing characters. */
const deeds = async (text: string): Promise<readonly string[]> => {
	const emulator = new xterm.Terminal({cols: 400, rows: 50, allowProposedApi: true, logLevel: 'off'});
	const events = recordEvents(emulator);
	await new Promise<void>(resolve => emulator.write(text, resolve));
	const {bells, frames, ...lists} = events;
	return [...Object.values(lists).flat(), ...Array.from({length: bells + frames}, () => 'bell or frame')];
};

test('the terminal of these tests notices the raw texts, so that silence means something', async () => {
	expect((await deeds(hostile)).length).toBeGreaterThan(10);
});

test.each(
	COMMANDS.map(
		args =>
			[
				args[0]!.length > 20 ? 'an unknown command' : args.map(arg => arg.slice(0, 12)).join(' '),
				args,
			] as const,
	),
)('hostile text from outside does nothing to the terminal: %s', {tags: 'long'}, async (_, args) => {
	await using service = await canned(HOSTILE);
	const {text} = await onTerminal(args, {home, env: service.env});
	expect(text.length).toBeGreaterThan(20);
	expect(await deeds(text)).toEqual([]);
	expect(text.replaceAll(/\u001b\[[\d;]*m/g, '')).toMatch(
		/^[^\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2066]*$/,
	);
});

test.each(
	COMMANDS.map(
		args =>
			[
				args
					.map(arg => arg.slice(0, 12))
					.join(' ')
					.replaceAll(/[^\w -]/g, ''),
				args,
			] as const,
	),
)('--json is free of what acts on terminals: %s', {tags: 'long'}, async (_, args) => {
	await using service = await canned(HOSTILE);
	const {stdout, stderr} = await runHere([...args, '--json'], {home, env: service.env});
	expect(stdout + stderr).not.toBe('');
	for (const line of [stdout, ...stderr.split('\n')])
		if (line !== '') expect(() => JSON.parse(line) as unknown).not.toThrow();
	expect(stdout + stderr).toMatch(/^[^\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2066]*$/);
});

test('an answer that breaks off is printed as far as it came, and exits 5', async () => {
	await using service = await canned({
		...HOSTILE,
		'POST /api/assistant/s/model_2': 'f:{"messageId":"m"}\n0:"half an "\n0:"answer"\n',
	});
	const {code, stdout, stderr} = await runHere(['chat', 's', 'hi'], {home, env: service.env});
	expect({code, stdout}).toEqual({code: 5, stdout: 'half an answer'});
	expect(stderr).toMatch(/^The answer from \S+ was cut off\.\n/);
	const json = await runHere(['chat', 's', 'hi', '--json'], {home, env: service.env});
	expect(JSON.parse(json.stdout)).toEqual({
		messageId: 'm',
		content: 'half an answer',
		finishReason: null,
		usage: null,
		complete: false,
	});
	expect(JSON.parse(json.stderr)).toMatchObject({error: {code: 'connection-lost'}});
});

test("the assistant's own error is reported after its answer, and exits 1", async () => {
	await using service = await canned({
		...HOSTILE,
		'POST /api/assistant/s/model_1': '0:"well"\n3:"out of tokens"\n',
	});
	expect(await runHere(['chat', 's', '-m', 'model_1', 'hi'], {home, env: service.env})).toMatchObject({
		code: 1,
		stdout: 'well',
		stderr: expect.stringMatching(/^out of tokens\.\n/),
	});
});

const started = {
	assistant_editor_url: 'https://e.example',
	environment: 'ai',
	hourly_rate: 2.49,
	message: 'started',
	port: 8888,
	port_forward_url: 'pending',
	server_name: 's',
	server_request: 'svc-medium',
	status: 'success',
	token: 'secret',
	url: 'https://lab.example/user/u/s/?token=secret',
};
/** A service whose list shows these states of a server, one state per request. */
const passing = (...states: readonly string[]): Promise<Awaited<ReturnType<typeof canned>>> => {
	const left = [...states];
	return canned({
		'GET /api/servers': () =>
			list(
				'servers',
				serverItem('s', left.length > 1 ? left.shift() : left[0], {
					status_reason: 'No room.',
					url: 'https://lab.example/user/u/s/?token=secret',
					token: 'secret',
				}),
			),
		'POST /api/servers/s/start': started,
	});
};

test(
	'--wait waits through unknown states until ready, and the token stays masked',
	{tags: 'long'},
	async () => {
		await using service = await passing('offline', 'offline', 'building', 'ready');
		const {code, stdout, stderr} = await runHere(['server', 'start', 's', '--wait'], {
			home,
			env: service.env,
		});
		expect({code, stdout, stderr}).toEqual({
			code: 0,
			stdout: 's is ready, 2.49/h, https://lab.example/user/u/s/?token=…\n',
			stderr: '',
		});
		expect(service.asked).toEqual([
			'GET /api/servers',
			'GET /api/compute',
			'POST /api/servers/s/start',
			'GET /api/servers',
			'GET /api/servers',
			'GET /api/servers',
		]);
	},
);

test(
	"on a terminal the wait shows the state, the time and the service's message, and removes them again",
	{tags: 'long'},
	async () => {
		await using service = await passing('offline', 'queued', 'queued', 'ready');
		const {code, text} = await onTerminal(['server', 'start', 's', '--wait'], {home, env: service.env});
		expect(code).toBe(0);
		expect(text).toMatch(
			/^(?:\rs queued, \d+ s: No room\.\u001b\[K)+\r\u001b\[Ks is ready, 2\.49\/h, [^\n]*\n$/,
		);
	},
);

test(
	'--wait gives up when the server goes offline again, with the reason and the line that tries again',
	{tags: 'long'},
	async () => {
		await using service = await passing('offline', 'starting', 'offline');
		const {code, stdout, stderr} = await runHere(['server', 'start', 's', '--wait'], {
			home,
			env: service.env,
		});
		expect({code, stdout}).toEqual({code: 1, stdout: ''});
		expect(stderr).toBe(
			'"s" did not become ready: it is offline again. No room.\nsvc-tui server start s --wait tries again.\n',
		);
	},
);

test("create and start as JSON are the service's own objects", async () => {
	await using service = await passing('offline');
	expect(
		JSON.parse((await runHere(['server', 'start', 's', '--json'], {home, env: service.env})).stdout),
	).toEqual(started);
});

test.each([
	['stop', 0, ''],
	['length', 0, 'The answer was cut off at its length limit'],
	['MAX_TOKENS', 0, 'The answer was cut off at its length limit'],
	['content-filter', 0, 'A content filter ended the answer'],
	['tool-calls', 0, 'The answer ended with finishReason "tool-calls".'],
	['error', 1, 'The assistant reports an error at the end of its answer'],
])('the end of an answer that stopped for %s is reported on standard error', async (reason, code, told) => {
	await using service = await canned({
		...HOSTILE,
		'POST /api/assistant/s/model_2': `f:{"messageId":"m"}\n0:"some"\nd:{"finishReason":"${reason}"}\n`,
	});
	const ran = await runHere(['chat', 's', 'hi'], {home, env: service.env});
	expect(ran).toMatchObject({code, stdout: 'some'});
	if (told === '') expect(ran.stderr).toBe('');
	else expect(ran.stderr).toContain(told);
	const json = await runHere(['chat', 's', 'hi', '--json'], {home, env: service.env});
	expect(JSON.parse(json.stdout)).toMatchObject({finishReason: reason, complete: reason !== 'error'});
	expect(json.code).toBe(code);
});

test('non-text parts of an answer are counted, on standard error and as JSON', async () => {
	const others = ['2:[1]', '8:[]', '9:{"toolCallId":"t"}', '9:{}', 'a:{}', 'h:{}', 'k:{}', '0:5', '0:["x"]'];
	await using service = await canned({
		...HOSTILE,
		'POST /api/assistant/s/model_2': `0:"some"\n${others.join('\n')}\nd:{"finishReason":"stop"}\n`,
	});
	const plain = await runHere(['chat', 's', 'hi'], {home, env: service.env});
	expect(plain).toMatchObject({code: 0, stdout: 'some'});
	expect(plain.stderr).toBe(
		'Not in the text: 1 line of kind 2 (data), 1 line of kind 8 (annotations), 2 lines of kind 9 (tool call), 1 line of kind a (tool result), 1 line of kind h (source), 1 line of kind k (file), 2 lines that could not be read.\n',
	);
	for (const flag of ['--json', '--jsonl']) {
		const json = await runHere(['chat', 's', 'hi', flag], {home, env: service.env});
		expect(
			JSON.parse(flag === '--json' ? json.stdout : (json.stdout.trimEnd().split('\n').at(-1) ?? '')),
		).toMatchObject({
			skipped: {2: 1, 8: 1, 9: 2, a: 1, h: 1, k: 1},
			unreadable: {lines: 2, samples: ['not a string: 0:5', 'not a string: 0:["x"]']},
		});
	}
});
