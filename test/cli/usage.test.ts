import {readFileSync} from 'node:fs';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {newHome, runCommand, type Home} from '../support/program.ts';
import {runHere} from '../support/run-here.ts';
import {testRows} from '../support/rows.ts';

let home: Home;
beforeAll(async () => {
	home = await newHome();
});
afterAll(async () => home[Symbol.asyncDispose]());

const wrong: readonly (readonly [string, readonly string[], RegExp])[] = [
	[
		'an unknown command suggests the nearest',
		['serrvers'],
		/^Unknown command 'serrvers'\. Did you mean servers\?\nsvc-tui --help/,
	],
	[
		'so does an unknown subcommand',
		['server', 'strat', 'x'],
		/^Unknown command 'strat'\. Did you mean start\?\nsvc-tui server --help/,
	],
	['and help for one', ['help', 'comptue'], /^Unknown command 'comptue'\. Did you mean compute\?\n/],
	[
		'help for what is neither command nor topic names the topics',
		['help', 'nonsense'],
		/^Unknown command 'nonsense'\.\nsvc-tui help takes a command or a topic: screens, keys, /,
	],
	[
		'an unknown option suggests the nearest',
		['compute', '--avialable'],
		/^Unknown option '--avialable'\. Did you mean --available\?\nsvc-tui compute --help/,
	],
	[
		'a group without its command names them',
		['files'],
		/^svc-tui files needs a subcommand: list, get, put, grep, table, sync, mv, mkdir, rm\.\n/,
	],
	[
		'a missing option is named',
		['server', 'create', 'x', '--environment', 'ai'],
		/^Required option '--compute <C>' not specified\.\nsvc-tui server create --help/,
	],
	['a missing argument is named', ['files', 'get', 'welcome'], /^Missing required argument 'PATH'\.\n/],
	['too many arguments are told', ['servers', 'x'], /^Too many arguments/],
	[
		'a port out of range is told before anything is asked',
		['server', 'create', 'x', '--environment', 'ai', '--compute', 'c', '--port', '70000'],
		/^--port "70000" is not a port/,
	],
	[
		'a query with an unknown field suggests the nearest',
		['compute', '--query', 'prise<3'],
		/^--query: Unknown field prise; did you mean price<=\?\nsvc-tui compute --help/,
	],
	[
		'a filter given twice is told',
		['compute', '--gpu', 'H100', '--query', 'gpu:A100'],
		/^--gpu and --query set the same filter\. Use one of them\.\n/,
	],
	[
		'a number that is none is told',
		['compute', '--max-price', 'cheap'],
		/^--max-price "cheap" is not a price per hour, such as 2\.50\.\n/,
	],
	['so is a count', ['compute', '--min-gpus', '1.5'], /^--min-gpus "1\.5" is not a whole number of GPUs\.\n/],
	[
		'a column that is not there suggests the nearest',
		['compute', '--sort', '-prize'],
		/^--sort "-prize" is not a column; did you mean price\?\n/,
	],
	[
		'a watch checks its seconds',
		['compute', 'watch', '--every', '0'],
		/^--every "0" is not a number of seconds above 0\.\n/,
	],
	[
		'code given twice is told',
		['run', 'welcome', 'a.py', '-c', '1'],
		/^Use either a file or -c CODE, not both\.\n/,
	],
	[
		'a file that is not there is told',
		['run', 'welcome', 'nowhere.py'],
		/^nowhere\.py cannot be read: there is no such file/,
	],
	[
		'nothing to run is told',
		['run', 'welcome'],
		/^Nothing to run\. Give a \.py or \.ipynb file, -c CODE, or pipe code in\./,
	],
	['nothing to do is told', ['work', 'welcome'], /^No goal given\. Pass it in quotes/],
	[
		'mcp allows what there is',
		['mcp', '--allow', 'run,shell'],
		/^--allow "shell" is not one of run, write, spend; reading needs no permission\.\nsvc-tui help mcp/,
	],
	[
		'a maximum price of mcp is for spending',
		['mcp', '--allow', 'run', '--max-price', '2'],
		/^--max-price needs --allow spend\.\n/,
	],
	[
		'mcp leaves standard input to the client',
		['mcp', '--api-key-file', '-'],
		/^Standard input is for the client\. Pass the key in a file\.\n/,
	],
	['nothing to ask is told', ['chat', 'welcome'], /^No question given\. Pass it in quotes/],
	...[
		['put', 'welcome', 'a.txt'],
		['put', 'welcome', '-', 'a.txt'],
		['put', 'welcome', 'a', 'b', 'c/'],
		['get', 'welcome', 'a.txt'],
	].map(
		args =>
			[
				`files ${args.join(' ')} takes no other --existing than it has`,
				['files', ...args, '--existing', 'owerwrite'],
				/'owerwrite' is invalid\. Allowed choices are overwrite, skip\.\nsvc-tui files (?:put|get) --help/,
			] as const,
	),
	['serve checks its port', ['serve', '--port', 'x'], /^--port "x" is not a port/],
	[
		'serve checks its engine',
		['serve', '--engine', 'cpython'],
		/^--engine "cpython" is unknown: use auto, embedded, jupyter or jupyterhub\.\n/,
	],
	['serve knows its options', ['serve', '--prot', '1'], /^Unknown option --prot\.\nsvc-tui serve --help/],
	['serve takes no --json', ['serve', '--json'], /^Unknown option --json\.\n/],
];

testRows('%s', wrong, 14, async ([_, args, said]) => {
	// The service is a separate script, so it runs as a process.
	const run = args[0] === 'serve' ? runCommand : runHere;
	const {code, stdout, stderr} = await run(args, {home});
	expect({code, stdout}).toEqual({code: 2, stdout: ''});
	expect(stderr).toMatch(said);
});

test('with --json a wrong command line is one line of JSON with a stable code', async () => {
	const {code, stderr} = await runHere(['serrvers', '--json'], {home});
	expect(code).toBe(2);
	expect(JSON.parse(stderr)).toEqual({
		error: {
			code: 'usage',
			message: "Unknown command 'serrvers'. Did you mean servers?",
			next: 'svc-tui --help shows how.',
		},
	});
});

test.each([
	[
		['open', 'welcome', 'repl', '--json'],
		'open starts the full-screen program and takes no --json or --jsonl.',
	],
	[
		['--json'],
		expect.stringMatching(/^svc-tui needs a subcommand: servers, [^]*completion, schema, info\.$/),
	],
])('with --json %j is an error in JSON, not a screen', async (args, message) => {
	const {code, stdout, stderr} = await runHere(args, {home});
	expect({code, stdout}).toEqual({code: 2, stdout: ''});
	expect(JSON.parse(stderr)).toMatchObject({error: {code: 'usage', message}});
});

test.each([
	['--json', 'help'],
	['help', '--json'],
	['--json', 'help', 'query'],
	['help', 'keys', '--json'],
	['run', '--help', '--json'],
	['--jsonl', 'help', 'run'],
])('help is JSON too where that is asked for: %s %s', async (...args) => {
	const {code, stdout} = await runHere(args, {home});
	const plain = await runHere(
		args.filter(arg => !arg.startsWith('--json')),
		{home},
	);
	expect({code, value: JSON.parse(stdout)}).toEqual({code: 0, value: {text: plain.stdout}});
});

test('every command that the help names has a help of its own', {tags: 'long'}, async () => {
	const {code, stdout} = await runCommand(['--help'], {home});
	expect(code).toBe(0);
	const names = stdout
		.slice(stdout.indexOf('Commands:'))
		.split('\n')
		.flatMap(line => /^ {2}(\w+)/.exec(line)?.[1] ?? []);
	expect(names).toEqual([
		'servers',
		'server',
		'cost',
		'attach',
		'detach',
		'ssh',
		'env',
		'up',
		'compute',
		'environments',
		'files',
		'run',
		'variables',
		'job',
		'shell',
		'forward',
		'chat',
		'work',
		'api',
		'open',
		'login',
		'logout',
		'local',
		'mcp',
		'serve',
		'completion',
		'schema',
		'info',
	]);
	for (const name of names) {
		const help = await runHere(['help', name], {home});
		expect(help).toMatchObject({
			code: 0,
			stderr: '',
			stdout: expect.stringContaining(`Usage: svc-tui ${name}`),
		});
		expect((await runHere([name, '--help'], {home})).stdout).toBe(help.stdout);
		expect(help.stdout.includes('--json')).toBe(name !== 'serve');
	}
});

test('--version prints the version of the package, and the build', async () => {
	const {version} = JSON.parse(readFileSync('package.json', 'utf8')) as {version: string};
	expect(await runCommand(['--version'], {home})).toMatchObject({
		code: 0,
		stdout: expect.stringMatching(
			new RegExp(`^${version.replaceAll('.', '\\.')} \\(build [0-9a-f]{8}\\)\n$`),
		) as string,
		stderr: '',
	});
});

test('info shows versions, paths, the terminal and the limits of the engine, with no service to be reached', async () => {
	const env = {SVC_BASE_URL: 'http://127.0.0.1:9', SVC_API_KEY: 'canary-key', TERM: 'tmux-256color'};
	const {code, stdout, stderr} = await runHere(['info'], {home, env});
	expect({code, stderr}).toEqual({code: 0, stderr: ''});
	expect(stdout).toContain(`${home.folder}/.local/share/svc-tui`);
	expect(stdout).toMatch(/node\s+24\.\d+/);
	expect(stdout).toContain('It does not limit the CPU');
	expect(stdout).not.toContain('canary-key');
	const {stdout: json} = await runHere(['info', '--json'], {home, env});
	expect(JSON.parse(json)).toMatchObject({
		versions: {node: expect.stringMatching(/^24\./)},
		paths: {config: `${home.folder}/.config/svc-tui`},
		service: {SVC_BASE_URL: '127.0.0.1:9', SVC_API_KEY: 'set'},
		terminal: {output: false, TERM: 'tmux-256color', utf8: true},
	});
});
