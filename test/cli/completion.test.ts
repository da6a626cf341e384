import {execFile, execFileSync} from 'node:child_process';
import {delimiter, dirname, join} from 'node:path';
import {promisify} from 'node:util';
import {readdir, writeFile} from 'node:fs/promises';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {
	computeOption,
	fileEntry,
	folderEntry,
	json,
	serverItem,
	startHostileService,
	success,
	type HostileService,
} from '../faults/hostile-service.ts';
import {newHome, PROGRAM, runCommand, type Home} from '../support/program.ts';
import {runHere} from '../support/run-here.ts';
import {testRows} from '../support/rows.ts';
import {openTerminal} from '../support/terminal.ts';
import {waitFor} from '../support/wait-for.ts';

/** A name that would run a command if the shell did not quote it. */
const INJECTED = '$(touch pwned)';
const NAMES = ['welcome', 'wel two', "it's", INJECTED, 'trainer'];
/** Files of every server, by folder. */
const FILES: Readonly<Record<string, readonly string[]>> = {
	'': ['a.py', 'data', 'my folder', INJECTED, 'es\u001B[2Jcape'],
	data: ['gpu.csv', 'two words.txt'],
	'svc-jobs': ['train-1', 'old', INJECTED],
	'svc-jobs/train-1': [],
	'svc-jobs/old': [],
	[`svc-jobs/${INJECTED}`]: [],
	'my folder': ['in it.txt'],
};
const REGIONS = ['eu:1', 'eu:2', 'East Coast (NY2)'];

let home: Home;
let service: HostileService;
let env: Record<string, string>;
beforeAll(async () => {
	home = await newHome();
	service = await startHostileService({
		servers: () =>
			success({
				servers: [...NAMES, 'ri\u202Eght', 'es\u001B[2Jcape', 'two\nlines'].map(name => serverItem(name)),
			}),
		file: ({path}) => {
			const names = FILES[path];
			if (names === undefined) return json({error: 'nothing there'}, 404);
			const isFolder = (name: string): boolean => (path === '' ? name : `${path}/${name}`) in FILES;
			const entries = names.map(name => {
				const at = path === '' ? name : `${path}/${name}`;
				return isFolder(name) ? folderEntry(at, []) : fileEntry(at);
			});
			return success({content: folderEntry(path, entries)});
		},
		environments: () =>
			success({
				environments: [{environment_id: 'ai', name: 'AI', description: '', kernels: ['python3', 'ir']}],
			}),
		compute: () =>
			success({
				compute: [
					computeOption('A100 80G (1x)', {
						cloud_host: 'aws',
						compute_id: 'aws-A100x1',
						availability: REGIONS.map(region => ({available: true, region})),
					}),
				],
			}),
	});
	env = {...home.env, ...service.env, PATH: `${dirname(PROGRAM)}${delimiter}${home.env['PATH']}`};
	for (const shell of ['bash', 'zsh', 'fish'])
		await writeFile(
			join(home.folder, `completion.${shell}`),
			(await runHere(['completion', shell], {home})).stdout,
		);
	await writeFile(join(home.folder, 'recipe.yaml'), '');
});
afterAll(async () => {
	await service[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
});

/** The words of a line as readline passes them. It also splits words at `:` and `=`. */
const wordsOf = (line: string): readonly string[] => {
	const words = line.match(/"[^"]*"?|'[^']*'?|(?:\\.|[^\s:=])+|[:=]+/g) ?? [];
	return /(?<!\\)\s$/.test(line) && !/["'][^"']*$/.test(line) ? [...words, ''] : words;
};

const inBash = async (
	line: string,
	more: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> => {
	const {stdout, stderr} = await promisify(execFile)(
		'bash',
		[
			'--norc',
			'-c',
			'source completion.bash; COMP_LINE=$1; COMP_POINT=${#1}; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _svc_tui; ((${#COMPREPLY[@]})) && printf "%s\\n" "${COMPREPLY[@]}"; true',
			'bash',
			line,
			...wordsOf(line),
		],
		{cwd: home.folder, env: {...env, ...more}},
	);
	expect(stderr).toBe('');
	return stdout.split('\n').slice(0, -1);
};

/**
 * The completions. If the service is too slow, as on a busy machine, there are none, and Tab is
 * pressed again.
 */
const offered = (ask: () => Promise<readonly string[]>): Promise<readonly string[]> =>
	waitFor(async () => {
		const rows = await ask();
		if (rows.length === 0) throw new Error('nothing was offered');
		return rows;
	});

const LINES: readonly (readonly [string, readonly string[]])[] = [
	['svc-tui ser', ['servers', 'server', 'serve']],
	['svc-tui server ', ['create', 'start', 'wait', 'stop', 'limit', 'open']],
	[
		'svc-tui server start ',
		['welcome', String.raw`wel\ two`, String.raw`it\'s`, String.raw`\$\(touch\ pwned\)`, 'trainer'],
	],
	['svc-tui server start "wel ', ['wel two']],
	['svc-tui server start "$', [String.raw`\$(touch pwned)`]],
	[String.raw`svc-tui server start wel\ `, [String.raw`wel\ two`]],
	['svc-tui --json run tr', ['trainer']],
	[
		'svc-tui run trainer -',
		[
			'--code',
			'-c',
			'--env',
			'--kernel',
			'--output',
			'-o',
			'--parameter',
			'-p',
			'--raw-parameter',
			'-r',
			'--timeout',
			'--allow-errors',
			'--progress',
			'--detach',
			'--attach',
			'--version',
			'-V',
			'--base-url',
			'--profile',
			'--api-key-file',
			'--ca-file',
			'--client-cert-file',
			'--client-key-file',
			'--insecure-http',
			'--json',
			'--jsonl',
			'--help',
			'-h',
		],
	],
	['svc-tui run welcome --kernel ', ['python3', 'ir', 'shared']],
	['svc-tui job run welcome --kernel ', ['python3', 'ir']],
	['svc-tui compute --reg', ['--region']],
	['svc-tui compute --region eu:', ['1', '2']],
	['svc-tui compute --region=eu:2', ['2']],
	['svc-tui compute --region eu:1 E', [String.raw`East\ Coast\ \(NY2\)`]],
	['svc-tui compute --gpu=', [String.raw`A100\ 80G`]],
	['svc-tui compute watch --ho', ['--host']],
	['svc-tui compute --host ', ['aws']],
	['svc-tui server create new --compute ', ['aws-A100x1']],
	['svc-tui server create new --environment ', ['ai']],
	['svc-tui server create ', []],
	['svc-tui server start --base-url http://127.0.0.1:1 we', []],
	['svc-tui serve --engine=e', ['embedded']],
	['svc-tui serve --js', []],
	['svc-tui files get trainer a --existing ', ['overwrite', 'skip']],
	['svc-tui completion ', ['bash', 'zsh', 'fish']],
	['svc-tui files list trainer ', ['data/', String.raw`my\ folder/`, 'a.py', String.raw`\$\(touch\ pwned\)`]],
	[String.raw`svc-tui files get trainer my\ folder/`, [String.raw`my\ folder/in\ it.txt`]],
	['svc-tui files get trainer data/g', ['data/gpu.csv']],
	['svc-tui files rm trainer a.py data/', ['data/gpu.csv', String.raw`data/two\ words.txt`]],
	['svc-tui files get trainer a.py/', []],
	[
		'svc-tui files sync . ',
		['welcome:', String.raw`wel\ two:`, String.raw`it\'s:`, String.raw`\$\(touch\ pwned\):`, 'trainer:'],
	],
	['svc-tui files sync . trainer:data/g', ['data/gpu.csv']],
	['svc-tui api GET ', []],
	['svc-tui api P', ['POST', 'PUT', 'PATCH']],
	['svc-tui job ', ['run', 'list', 'logs', 'wait', 'cancel', 'rm']],
	['svc-tui job wait trainer ', ['train-1', 'old']],
	['svc-tui job rm trainer old tr', ['train-1']],
	['svc-tui job run tr', ['trainer']],
	['svc-tui help exit', ['exit-codes']],
	['svc-tui work tr', ['trainer']],
	['svc-tui mcp --allow ', ['run', 'write', 'spend']],
	['svc-tui work trainer x --di', ['--diff']],
	['svc-tui work trainer x --allow ', ['run', 'write', 'shell']],
	['svc-tui variables welcome --kernel ', ['ir', 'python3']],
	['svc-tui open welcome ', ['files', 'repl', 'chat']],
	['svc-tui servers --profile ', ['local']],
];

testRows('bash completes %s', LINES, 8, async ([line, expected]) => {
	const ask = (): Promise<readonly string[]> => inBash(line);
	const rows = await (expected.length === 0 ? ask() : offered(ask));
	expect(rows.toSorted()).toEqual(expected.toSorted());
});

test('every command and option that the help shows is completed', {tags: 'long'}, async () => {
	const namesIn = (help: string, head: string): readonly string[] =>
		(new RegExp(`^${head}:\n((?: .*\n)+)`, 'm').exec(help)?.[1] ?? '')
			.split('\n')
			.flatMap(line => /^ {2}(?! )([\w-]+)/.exec(line)?.[1] ?? []);
	const optionsIn = (help: string): readonly string[] => [
		...new Set(
			[...help.matchAll(/^ {2}(-\w, )?(--[\w-]+)(?= <| \[| {2})/gm)].flatMap(([, short, long]) => [
				...(short ? [short.slice(0, 2)] : []),
				long ?? '',
			]),
		),
	];
	const visit = async (words: readonly string[]): Promise<number> => {
		const {stdout: help} = await runHere([...words, '--help'], {home});
		const line = ['svc-tui', ...words].join(' ');
		expect({line, options: (await inBash(`${line} -`)).toSorted()}).toEqual({
			line,
			options: optionsIn(help).toSorted(),
		});
		const below = namesIn(help, 'Commands');
		if (below.length > 0)
			expect(await inBash(`${line} `)).toEqual(words.length === 0 ? [...below, 'help'] : below);
		let count = 1;
		for (const name of below) count += await visit([...words, name]);
		return count;
	};
	expect(await visit([])).toBeGreaterThan(20);
});

test(
	'names that are asked for while a line is typed cost no word when the service is away, refuses the key or is not known',
	{tags: 'long'},
	async () => {
		const silent = {code: 0, signal: null, stdout: '', stderr: ''};
		const complete = async (env: Readonly<Record<string, string>>, ...more: readonly string[]) =>
			runCommand(['__complete', 'zsh', 'server', 'start', ...more, ''], {home, env});
		expect(await complete({SVC_BASE_URL: 'http://127.0.0.1:9', SVC_API_KEY: 'key'})).toEqual(silent);
		expect(await complete({SVC_BASE_URL: service.baseUrl})).toEqual(silent);
		expect(await complete(service.env, '--profile', 'nowhere')).toEqual(silent);
		expect(await runCommand(['__complete', 'zsh', 'nothing', ''], {home, env: service.env})).toEqual(silent);
		await using slow = await startHostileService({servers: () => new Promise(() => {})});
		expect(await complete(slow.env)).toEqual(silent);
		expect(await complete(service.env)).toEqual({...silent, stdout: NAMES.map(name => `${name}\n`).join('')});
	},
);

const isThere = (shell: string): boolean => {
	try {
		execFileSync(shell, ['-c', ':'], {stdio: 'ignore'});
		return true;
	} catch {
		console.warn(`*** NOT TESTED: there is no ${shell} here, so its completion was not tried. ***`);
		return false;
	}
};

const SHELLS: Readonly<
	Record<string, {readonly command: readonly string[]; readonly ready: readonly string[]}>
> = {
	bash: {command: ['bash', '--norc'], ready: ['source completion.bash']},
	zsh: {command: ['zsh', '-f'], ready: ['autoload -U compinit && compinit -u -D', 'source completion.zsh']},
	'zsh without compinit': {command: ['zsh', '-f'], ready: ['source completion.zsh']},
};

test('with --json a script comes as JSON, with the name of its shell', async () => {
	const {stdout} = await runHere(['completion', 'fish', '--json'], {home});
	expect(JSON.parse(stdout)).toEqual({
		shell: 'fish',
		script: (await runHere(['completion', 'fish'], {home})).stdout,
	});
});

for (const [shell, {command, ready}] of Object.entries(SHELLS))
	test.skipIf(!isThere(command[0] ?? ''))(
		`Tab in ${shell} completes commands, servers, regions and local files, and runs nothing`,
		{tags: shell === 'bash' ? [] : 'long'},
		async () => {
			await using terminal = await openTerminal({
				command,
				env: {...env, PS1: '> '},
				cwd: home.folder,
				columns: 100,
				rows: 30,
			});
			for (const line of ready) terminal.type(`${line}\r`);
			terminal.type('echo rea""dy\r');
			await terminal.until(/^ready$/m);
			for (const [typed, whole] of [
				['svc-tui compu', 'svc-tui compute '],
				['server start trai', 'server start trainer'],
				['compute --region=Ea', String.raw`--region=East\ Coast\ \(NY2\)`],
				['svc-tui up reci', 'svc-tui up recipe.yaml'],
				['svc-tui server start \\$', String.raw`\$\(touch\ pwned\)`],
			] as const) {
				terminal.type(`\u0015${typed.startsWith('svc-tui') ? '' : 'svc-tui '}${typed}\t`);
				await terminal.until(whole);
			}
			// No space follows the completed name of a folder.
			terminal.type('\u0015svc-tui files get trainer da\t');
			await terminal.until('trainer data/');
			terminal.type('g\t');
			await terminal.until('trainer data/gpu.csv');
			terminal.type('\u0015svc-tui files sync . trai\t');
			await terminal.until('sync . trainer:');
			terminal.type('da\t');
			await terminal.until('trainer:data/');
			terminal.type('\u0015svc-tui files get trainer my\\ folder/\t');
			await terminal.until(String.raw`trainer my\ folder/in\ it.txt`);
			terminal.type('\u0015exit\r');
			await terminal.exit;
			expect(await readdir(home.folder)).not.toContain('pwned');
		},
	);

test.skipIf(!isThere('fish'))(
	'fish completes commands with their descriptions, servers, regions and local files',
	{tags: 'long'},
	async () => {
		const complete = async (line: string): Promise<readonly string[]> => {
			const {stdout, stderr} = await promisify(execFile)(
				'fish',
				['--no-config', '-c', 'source completion.fish; complete -C $argv[1]', line],
				{cwd: home.folder, env},
			);
			expect(stderr).toBe('');
			return stdout.split('\n').slice(0, -1);
		};
		expect(await complete('svc-tui server sta')).toEqual([
			'start\tstart a server with the settings of its last start',
		]);
		for (const [line, rows] of [
			['svc-tui server start ', NAMES.toSorted()],
			['svc-tui compute --region=eu', ['--region=eu:1', '--region=eu:2']],
			['svc-tui compute --region eu:1 E', ['East Coast (NY2)']],
			['svc-tui up reci', ['recipe.yaml']],
			['svc-tui files get trainer da', ['data/']],
			[String.raw`svc-tui files get trainer my\ folder/`, ['my folder/in it.txt']],
			["svc-tui files get trainer 'my folder/i", ['my folder/in it.txt']],
		] as const)
			expect(await offered(() => complete(line))).toEqual(rows);
		expect((await complete('svc-tui serve --')).map(row => row.split('\t')[0])).not.toContain('--json');
		expect(await complete('svc-tui server start --base-url http://127.0.0.1:1 we')).toEqual([]);
	},
);

test('help topics list keys, the query, recipes, exit codes and settings', async () => {
	const help = async (topic: string): Promise<string> => {
		const {code, stdout, stderr} = await runHere(['help', topic], {home});
		expect({code, stderr}).toEqual({code: 0, stderr: ''});
		return stdout;
	};
	expect(await help('keys')).toMatch(/^servers:\n(?: {2}.*\n)* {2}s +servers\.start +start\n/m);
	expect(await help('query')).toContain('gpu:H100  n>=2');
	expect(await help('recipe')).toContain('compute: cpu price<1');
	expect(await help('exit-codes')).toMatch(
		/^6 +the code raised an error; if it calls sys\.exit\(n\), n instead$/m,
	);
	expect(await help('settings')).toContain(`${home.folder}/.config/svc-tui/settings.json`);
	expect(await help('files')).toContain('- is standard input');
});
