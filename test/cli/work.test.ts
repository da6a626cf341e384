import {randomBytes} from 'node:crypto';
import {chmod, mkdir, readFile, readdir, stat, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {newHome, type Home} from '../support/program.ts';
import {onTerminal, serve, shell, type Served} from './support.ts';

let home: Home;
let served: Served;
beforeAll(async () => {
	home = await newHome();
	served = await serve(home);
	expect(await served.run(['server', 'start', 'welcome', '--wait'])).toMatchObject({code: 0});
});
afterAll(async () => {
	await served[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
});

test('code on standard input runs, with or without -', async () => {
	const line = await shell(String.raw`printf 'x=21\nprint(x*2)' | svc-tui run welcome -`, {
		home,
		env: served.env,
	});
	expect(line).toMatchObject({code: 0, stdout: Buffer.from('42\n'), stderr: ''});
	expect(await served.run(['run', 'welcome'], {input: 'print(6 * 7)'})).toMatchObject({
		code: 0,
		stdout: '42\n',
	});
	const file = join(home.folder, 'a file.py');
	await writeFile(file, '\ufeffprint("from a file")\n');
	expect(await served.run(['run', 'welcome', file])).toMatchObject({code: 0, stdout: 'from a file\n'});
});

test('stdout, stderr and the last value go their own ways', async () => {
	const {code, stdout, stderr} = await served.run([
		'run',
		'welcome',
		'-c',
		'import sys\nprint("out")\nprint("err", file=sys.stderr)\n[1, 2]',
	]);
	expect({code, stdout, stderr}).toEqual({code: 0, stdout: 'out\n[1, 2]\n', stderr: 'err\n'});
});

test('code that raises exits 6 with its traceback on stderr and its earlier output on stdout', async () => {
	const {code, stdout, stderr} = await served.run(['run', 'welcome', '-c', 'print("before")\n1/0']);
	expect({code, stdout}).toEqual({code: 6, stdout: 'before\n'});
	expect(stderr).toMatch(/Traceback[^]*ZeroDivisionError: division by zero\n$/);
	const json = await served.run(['run', 'welcome', '--json', '-c', '1/0']);
	expect(json).toMatchObject({code: 6, stderr: ''});
	expect(JSON.parse(json.stdout)).toMatchObject({
		cell_type: 'code',
		source: '1/0',
		outputs: [{output_type: 'error', ename: 'ZeroDivisionError'}],
	});
});

test('a kernel that the server does not have is reported', async () => {
	expect(await served.run(['run', 'welcome', '-c', '1', '--kernel', 'julia'])).toMatchObject({
		code: 3,
		stderr: expect.stringContaining('"julia"'),
	});
});

const bytes = String.raw`print("\x1b[31mred\x1b[0m\n\x1b]52;c;aGk=\x07end\rEN")`;

test('output is byte-exact in a pipe and cannot act on a terminal', async () => {
	const piped = await served.run(['run', 'welcome', '-c', bytes]);
	expect(piped.stdout).toBe('\u001b[31mred\u001b[0m\n\u001b]52;c;aGk=\u0007end\rEN\n');
	const shown = await onTerminal(['run', 'welcome', '-c', bytes], {home, env: served.env});
	expect(shown.text.replaceAll(/\u001b\[[\d;]*m/g, '')).toBe('red\nENd\n');
	expect(shown.text).toContain('\u001b[31mred');
	const plain = await onTerminal(['run', 'welcome', '-c', bytes], {
		home,
		env: {...served.env, NO_COLOR: '1'},
	});
	expect(plain.text).toBe('red\nENd\n');
});

test('a cell as JSON has the same bytes on a terminal and in a pipe, except its count, and acts on no terminal', async () => {
	const args = ['run', 'welcome', '--json', '-c', String.raw`print("\x9b31m \x7f \u202e \u2066 é 👩‍🚀 \x1b")`];
	const piped = await served.run(args);
	const shown = await onTerminal(args, {home, env: served.env});
	expect(shown.text.replace(/"execution_count": \d+/g, '')).toBe(
		piped.stdout.replace(/"execution_count": \d+/g, ''),
	);
	expect(piped.stdout).toMatch(/^[^\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2066]*$/);
	expect(JSON.parse(piped.stdout)).toMatchObject({
		outputs: [{text: '\u009b31m \u007f \u202e \u2066 é 👩‍🚀 \u001b\n'}],
	});
});

test('two million characters of output arrive whole on a terminal too', {tags: 'long'}, async () => {
	const args = ['run', 'welcome', '-c', 'for i in range(20000): print(i, "é" * 100)'];
	const shown = await onTerminal(args, {home, env: served.env});
	expect(shown.text).toBe(Array.from({length: 20_000}, (_, line) => `${line} ${'é'.repeat(100)}\n`).join(''));
});

test('run on a terminal without code names the arguments and waits for nothing', async () => {
	const {code, text} = await onTerminal(['run', 'welcome'], {home, env: served.env});
	expect(code).toBe(2);
	expect(text).toMatch(/^Nothing to run\. Give a \.py or \.ipynb file, -c CODE, or pipe code in\.\n/);
	expect((await onTerminal(['chat', 'welcome'], {home, env: served.env})).code).toBe(2);
});

test('any bytes make the round trip, through a file and through a pipe', async () => {
	const content = randomBytes(70_001);
	await writeFile(join(home.folder, 'noise.bin'), content);
	expect(await served.run(['files', 'put', 'welcome', 'noise.bin', 'data/'])).toMatchObject({
		code: 0,
		stdout: 'Uploaded noise.bin to data/noise.bin on welcome, 70001 bytes\n',
	});
	expect(await served.run(['files', 'get', 'welcome', 'data/noise.bin', '-o', 'back.bin'])).toMatchObject({
		code: 0,
		stdout: '',
	});
	expect(await readFile(join(home.folder, 'back.bin'))).toEqual(content);
	expect((await shell('svc-tui files get welcome data/noise.bin', {home, env: served.env})).stdout).toEqual(
		content,
	);
	expect(
		(
			await shell(
				'svc-tui files put welcome - copy.bin < noise.bin && svc-tui files get welcome ./copy.bin | cmp - noise.bin',
				{home, env: served.env},
			)
		).code,
	).toBe(0);
});

test('text goes as text, byte order mark and line ends included', async () => {
	const text = '\ufeffone\r\ntwo\rthree\n\u0000é';
	await writeFile(join(home.folder, 'text.txt'), text);
	const {stdout} = await served.run(['files', 'put', 'welcome', 'text.txt', '--json']);
	expect(JSON.parse(stdout)).toMatchObject({name: 'text.txt', path: 'text.txt', content: null});
	const got = await served.run(['files', 'get', 'welcome', '/text.txt', '--json']);
	expect(JSON.parse(got.stdout)).toMatchObject({format: 'text', type: 'file', content: text});
	expect(
		(await shell('svc-tui files get welcome text.txt | cmp - text.txt', {home, env: served.env})).code,
	).toBe(0);
});

test('a notebook comes out as it lies on the server', async () => {
	const {stdout} = await shell('svc-tui files get welcome prices.ipynb', {home, env: served.env});
	expect(stdout).toEqual(await readFile('src/service/local/welcome/prices.ipynb'));
});

test('binary content is not written to a terminal, text is shown safely', async () => {
	await writeFile(join(home.folder, 'zeros.bin'), Buffer.from([0xff, 0, 1]));
	await writeFile(join(home.folder, 'sneaky.txt'), 'a\u001b]0;owned\u0007b\n');
	await shell('svc-tui files put welcome zeros.bin && svc-tui files put welcome sneaky.txt', {
		home,
		env: served.env,
	});
	const binary = await onTerminal(['files', 'get', 'welcome', 'zeros.bin'], {home, env: served.env});
	expect(binary).toEqual({
		code: 2,
		text: 'zeros.bin is not text (3 bytes) and would garble the terminal.\nWrite it to a file with -o FILE, or redirect the output.\n',
	});
	expect((await onTerminal(['files', 'get', 'welcome', 'sneaky.txt'], {home, env: served.env})).text).toBe(
		'a^[]0;owned^Gb\n',
	);
});

test('-o replaces a file whole, keeps its mode and follows a link, and leaves no other file behind', async () => {
	const folder = join(home.folder, 'target');
	await mkdir(folder);
	await writeFile(join(folder, 'script.py'), 'old');
	await chmod(join(folder, 'script.py'), 0o750);
	await symlink('script.py', join(folder, 'link'));
	expect(await served.run(['files', 'get', 'welcome', 'src/prices.py', '-o', 'target/link'])).toMatchObject({
		code: 0,
	});
	expect(await readFile(join(folder, 'script.py'))).toEqual(
		await readFile('src/service/local/welcome/src/prices.py'),
	);
	expect((await stat(join(folder, 'script.py'))).mode & 0o777).toBe(0o750);
	expect((await readdir(folder)).toSorted()).toEqual(['link', 'script.py']);
});

test(
	'-o to a device writes to the device, and to a folder or a missing place gives the reason why not',
	{tags: 'long'},
	async () => {
		expect(
			(
				await shell(
					'mkfifo pipe && (cat pipe > through &) && svc-tui files get welcome README.md -o pipe && test -p pipe',
					{home, env: served.env},
				)
			).code,
		).toBe(0);
		expect(await served.run(['files', 'get', 'welcome', 'README.md', '-o', '.'])).toMatchObject({
			code: 2,
			stderr: expect.stringMatching(/^\. cannot be written: it is a folder\./),
		});
		expect(await served.run(['files', 'get', 'welcome', 'README.md', '-o', 'no/where'])).toMatchObject({
			code: 2,
			stderr: expect.stringMatching(/^no\/where cannot be written: there is no such file or folder\./),
		});
	},
);

test('a folder is listed with folders first; a missing file exits 3 and names the command that lists the others', async () => {
	const {stdout} = await served.run(['files', 'list', 'welcome', 'src/']);
	expect(stdout).toMatch(/^NAME +BYTES +CHANGED\nprices\.py +\d+ +\d{4}-\d\d-\d\dT[\d:]+Z\n$/);
	const root = await served.run(['files', 'list', 'welcome']);
	expect(root.stdout).toMatch(/^NAME[^\n]*\ndata\/ +-[^\n]*\nsrc\/ +-[^]*\nREADME\.md +\d+/);
	expect(JSON.parse((await served.run(['files', 'list', 'welcome', '--json'])).stdout)).toMatchObject({
		type: 'directory',
		path: '',
		content: expect.any(Array),
	});
	const missing = await served.run(['files', 'get', 'welcome', 'src/none.py']);
	expect(missing).toMatchObject({
		code: 3,
		stderr: expect.stringMatching(/\nsvc-tui files list welcome src lists that folder\.\n$/),
	});
	expect(await served.run(['files', 'get', 'welcome', 'src'])).toMatchObject({
		code: 1,
		stderr: expect.stringMatching(/^src is a folder\./),
	});
	expect(await served.run(['files', 'get', 'welcome', '../x'])).toMatchObject({code: 2});
});

test('the assistant answers as text, and as JSON with its metadata', {tags: 'long'}, async () => {
	const text = await served.run(['chat', 'welcome', 'what is len?']);
	expect(text).toMatchObject({code: 0, stderr: '', stdout: expect.stringContaining('len(obj, /)')});
	const framed = JSON.parse(
		(await served.run(['chat', 'welcome', '--json', '-'], {input: 'what is len?\n'})).stdout,
	) as Record<string, unknown>;
	expect(framed).toEqual({
		messageId: expect.any(String),
		content: text.stdout,
		finishReason: 'stop',
		usage: {promptTokens: 3, completionTokens: expect.any(Number)},
		complete: true,
	});
	const bare = JSON.parse(
		(await served.run(['chat', 'welcome', '-m', 'model_4', '--json', 'what is len?'])).stdout,
	) as Record<string, unknown>;
	expect(bare).toEqual({
		messageId: null,
		content: text.stdout,
		finishReason: null,
		usage: null,
		complete: true,
	});
	expect(await served.run(['chat', 'welcome', '-m', 'gpt', 'hello'])).toMatchObject({
		code: 3,
		stderr: expect.stringMatching(/model_1[^]*Choose another model with -m\.\n$/),
	});
});

test('a server is created and waited for, and the same name again is refused', async () => {
	const made = await served.run([
		'server',
		'create',
		'trainer',
		'--environment',
		'pytorch',
		'--compute',
		'svc-medium',
		'--port',
		'9001',
		'--wait',
	]);
	expect(made).toMatchObject({
		code: 0,
		stderr: '',
		stdout: expect.stringMatching(
			/^trainer is ready, 0\.00\/h, http:\/\/127\.0\.0\.1:\d+\/user\/\S+\/trainer\/\?token=…\n$/,
		),
	});
	expect((await served.run(['servers'])).stdout).toMatch(/trainer +ready +pytorch +svc-medium +0\.00 +9001/);
	expect(
		await served.run([
			'server',
			'create',
			'trainer',
			'--environment',
			'ai',
			'--compute',
			'svc-medium',
			'--json',
		]),
	).toMatchObject({code: 1, stdout: ''});
	expect(await served.run(['server', 'start', 'trainer'])).toMatchObject({
		code: 1,
		stderr: expect.stringContaining('already ready'),
	});
	expect(await served.run(['server', 'start', 'trainer', '--wait'])).toMatchObject({code: 0});
	const json = await served.run([
		'server',
		'create',
		'second',
		'--environment',
		'ai',
		'--compute',
		'svc-medium',
		'--json',
	]);
	expect(JSON.parse(json.stdout)).toMatchObject({
		server_name: 'second',
		port: 8888,
		hourly_rate: 0,
		port_forward_url: 'pending',
		status: 'success',
	});
	expect(
		await served.run(['server', 'create', 'third', '--environment', 'nope', '--compute', 'svc-medium']),
	).toMatchObject({
		code: 3,
		stderr: expect.stringMatching(/^There is no environment "nope"\.\nsvc-tui environments lists them: ai, /),
	});
	expect(
		await served.run(['server', 'create', 'third', '--environment', 'ai', '--compute', 'svc-medum']),
	).toMatchObject({
		code: 3,
		stderr: expect.stringMatching(
			/^There is no compute option "svc-medum"; did you mean svc-medium\?\nsvc-tui compute lists them: svc-medium, .* and \d+ more\.$/m,
		),
	});
});
