import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {newHome, runCommand, type Home} from '../support/program.ts';
import {serve, shell, type Served} from './support.ts';

// Every command in README and src/docs is run as printed, and must do what the page says.

const ROOT = join(import.meta.dirname, '../..');
const DOCS = join(ROOT, 'src/docs');
const textOf = (file: string): string => readFileSync(file, 'utf8');
const README = textOf(join(ROOT, 'README.md'));
const page = (name: string): string => textOf(join(DOCS, `${name}.md`));
const TEXTS = [
	README,
	...readdirSync(DOCS)
		.filter(name => name.endsWith('.md'))
		.map(name => textOf(join(DOCS, name))),
];

let home: Home;
let service: Served;
/**
 * The folder in which the examples run. A clone has README.md; the examples of the help name the
 * other files.
 */
const here = (): string => join(home.folder, 'work');
beforeAll(async () => {
	home = await newHome();
	service = await serve(home);
	expect(await service.run(['server', 'start', 'welcome', '--wait'])).toMatchObject({code: 0});
	for (const folder of ['data', 'notes']) mkdirSync(join(here(), folder), {recursive: true});
	for (const name of ['README.md', 'train.py', 'data/a.csv', 'data/b.csv', 'more.txt'])
		writeFileSync(join(here(), name), `# ${name}\n`);
	writeFileSync(join(here(), 'train.yaml'), fence(page('recipe'), 'yaml'));
	writeFileSync(
		join(here(), 'train.ipynb'),
		JSON.stringify({
			cells: [cellOf('epochs = 1', ['parameters']), cellOf('print("epochs:", epochs)', [])],
			metadata: {},
			nbformat: 4,
			nbformat_minor: 4,
		}),
	);
});
afterAll(async () => {
	await service[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
});

const fence = (text: string, language: string): string =>
	new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'm').exec(text)?.[1] ?? '';

const cellOf = (source: string, tags: readonly string[]): object => ({
	cell_type: 'code',
	execution_count: null,
	metadata: {tags},
	outputs: [],
	source,
});

/**
 * Runs a line. Without settings, the program starts the local service. With settings it uses a
 * running service, which is faster.
 */
const run = async (
	line: string,
	env: Served['env'] = service.env,
): Promise<{readonly code: number; readonly stdout: string; readonly stderr: string}> => {
	const {code, stdout, stderr} = await shell(line, {home, env, cwd: here()});
	return {code, stdout: stdout.toString(), stderr};
};

/** Checks of each command: its exit code, and its output or effect. */
const PROMISES: Readonly<Record<string, (line: string) => Promise<void>>> = {
	async "printf 'x=21\\nprint(x*2)' | svc-tui run welcome -"(line) {
		expect(await run(line, {})).toMatchObject({code: 0, stdout: '42\n'});
	},
	async 'svc-tui servers'(line) {
		expect(await run(line)).toMatchObject({code: 0, stdout: expect.stringMatching(/^welcome +ready /m)});
	},
	async 'svc-tui server start welcome --wait'(line) {
		expect(await run(line)).toMatchObject({code: 0});
	},
	async 'svc-tui server limit welcome --idle-stop 1h --max-run 8h'(line) {
		expect(await run(line)).toMatchObject({
			code: 0,
			stdout: expect.stringMatching(/^welcome stops after 1h without use, and 8h from its start, at /),
		});
		expect(await run('svc-tui server limit welcome --idle-stop soon')).toMatchObject({code: 2});
		expect(await run('svc-tui server limit welcome --idle-stop default --max-run off')).toMatchObject({
			code: 0,
			stdout: 'welcome has no limits.\n',
		});
	},
	async 'svc-tui files list welcome'(line) {
		expect(await run(line)).toMatchObject({code: 0, stdout: expect.stringContaining('README.md')});
	},
	async "svc-tui run welcome -c 'print(6 * 7)'"(line) {
		expect(await run(line)).toMatchObject({code: 0, stdout: '42\n'});
	},
	async 'svc-tui variables welcome'(line) {
		await run("svc-tui run welcome -c 'x=41'");
		expect(await run(line)).toMatchObject({code: 0, stdout: expect.stringMatching(/^x +int /m)});
	},
	async "svc-tui chat welcome 'what is in src/prices.py?'"(line) {
		expect(await run(line)).toMatchObject({
			code: 0,
			stdout: expect.stringContaining('`src/prices.py` is Python'),
		});
	},
	async 'svc-tui help keys'(line) {
		expect(await run(line)).toMatchObject({code: 0, stdout: expect.stringContaining('servers.start')});
	},
	async 'svc-tui help proxy'(line) {
		expect(await run(line)).toMatchObject({code: 0, stdout: expect.stringContaining('reverse_proxy')});
	},
	async 'svc-tui help hub'(line) {
		expect(await run(line)).toMatchObject({code: 0, stdout: expect.stringContaining('KubeSpawner')});
	},
	async 'svc-tui cost'(line) {
		expect(await run(line)).toMatchObject({code: 0, stderr: expect.stringContaining('Estimate, not a bill')});
	},
	async 'svc-tui up train.yaml'(line) {
		expect(await run(line)).toMatchObject({code: 2, stderr: expect.stringContaining('--yes')});
		const {code, stdout, stderr} = await run(`${line} --yes`);
		expect({code, stdout}, stderr).toMatchObject({
			code: 0,
			stdout: expect.stringMatching(/^# README\.md\n[^]*trainer is ready/m),
		});
		expect(await run(`${line} --yes`)).toMatchObject({
			code: 0,
			stderr: expect.not.stringContaining('creating'),
		});
	},
	async 'svc-tui schema settings'(line) {
		const api = await run('svc-tui api GET /openapi.json');
		expect(JSON.parse(api.stdout)).toMatchObject({openapi: expect.stringMatching(/^3\.1/)});
		expect(JSON.parse((await run(line)).stdout)).toMatchObject({properties: {theme: {type: 'string'}}});
	},
	async 'svc-tui info'(line) {
		expect(await run(line)).toMatchObject({
			code: 0,
			stdout: expect.stringContaining(join(home.folder, '.config/svc-tui')),
			stderr: '',
		});
	},
	async 'source <(svc-tui completion bash)'(line) {
		expect(await run(`${line}; complete -p svc-tui`)).toMatchObject({
			code: 0,
			stdout: 'complete -F _svc_tui svc-tui\n',
			stderr: '',
		});
	},
	async "svc-tui compute --query 'gpu:h100 vram>=80 price<3' --sort price"(line) {
		expect(await run(line)).toMatchObject({code: 0, stdout: expect.stringMatching(/H100x1 /)});
	},
	async 'svc-tui compute'(line) {
		expect(await run(line)).toMatchObject({code: 0, stdout: expect.stringMatching(/svc-medium/)});
	},
	async "svc-tui compute --query 'gpu:h100 n>=2 vram>=80 price<6 region:us-central-2'"(line) {
		expect(await run(line)).toMatchObject({code: 0, stdout: expect.stringMatching(/H100/)});
	},
	async 'svc-tui run welcome train.ipynb -o out.ipynb -p epochs=3 -p rate=1e-3 -r version=1.0 --timeout 3600'(
		line,
	) {
		expect(await run(line)).toMatchObject({code: 0, stdout: ''});
		expect(readFileSync(join(here(), 'out.ipynb'), 'utf8')).toMatch(
			/rate = 0?\.?0*1(?:e-0?3)?[^]*version = .{0,2}1\.0/,
		);
	},
	async 'svc-tui run welcome train.ipynb -o out.ipynb -p epochs=3'(line) {
		expect(await run(line)).toMatchObject({code: 0, stdout: ''});
		expect(readFileSync(join(here(), 'out.ipynb'), 'utf8')).toContain('epochs: 3');
	},
	async 'svc-tui run welcome train.ipynb --detach -p epochs=3 -o out.ipynb'(line) {
		const {code, stdout} = await run(line);
		expect(code).toBe(0);
		expect(await run(`svc-tui run --attach ${stdout.trim()}`)).toMatchObject({code: 0, stdout: ''});
		expect(readFileSync(join(here(), 'out.ipynb'), 'utf8')).toContain('epochs: 3');
	},
	async 'svc-tui run --attach 1f0c7a52'(line) {
		expect(await run(line)).toMatchObject({
			code: 3,
			stderr: expect.stringContaining('There is no detached run "1f0c7a52"'),
		});
	},
	async 'svc-tui files put welcome train.py src/'(line) {
		expect(await run(line)).toMatchObject({code: 0});
		expect((await run('svc-tui files get welcome src/train.py')).stdout).toBe('# train.py\n');
	},
	async "svc-tui files put welcome 'data/*.csv' more.txt in/"(line) {
		expect(await run(line)).toMatchObject({code: 0});
		expect((await run('svc-tui files list welcome in')).stdout).toMatch(/a\.csv[^]*b\.csv[^]*more\.txt/);
	},
	async "svc-tui files grep welcome 'def \\w+' src"(line) {
		expect(await run(line)).toMatchObject({code: 0, stdout: expect.stringMatching(/^src\/\S+:\d+:def /m)});
	},
	async "svc-tui files table welcome data/gpu-prices.csv --where 'gpu~h100' --sort -price_per_hour"(line) {
		expect(await run(line)).toMatchObject({code: 0, stdout: expect.stringMatching(/^gpu +host [^]*\nH100 /)});
	},
	async 'svc-tui files get welcome data -o here'(line) {
		expect(await run(line)).toMatchObject({code: 0});
		expect(
			existsSync(join(here(), 'here/gpu-prices.csv')) || existsSync(join(here(), 'here/data/gpu-prices.csv')),
		).toBe(true);
	},
	async 'svc-tui files sync . welcome:src'(line) {
		expect(await run(line)).toMatchObject({code: 0});
		expect((await run('svc-tui files get welcome src/data/a.csv')).stdout).toBe('# data/a.csv\n');
	},
	async 'tar c . | svc-tui files put welcome - all.tar'(line) {
		expect(await run(line)).toMatchObject({code: 0});
		expect(
			(await run('svc-tui files get welcome all.tar -o ../back.tar && tar tf ../back.tar')).stdout,
		).toContain('./train.py');
	},
};

/** Commands that other tests run: in shells, at a terminal, with a hub or a proxy. */
const TRIED_ELSEWHERE: Readonly<Record<string, string>> = {
	'svc-tui completion fish | source': 'test/cli/completion.test.ts',
	"svc-tui run welcome -c 'x=41'": 'test/cli/run-kernels.test.ts',
	"svc-tui run welcome -c 'print(x)'": 'test/cli/run-kernels.test.ts',
	'seq 1 3 | xargs -P3 -I{} svc-tui run welcome train.ipynb -o out-{}.ipynb -p seed={}':
		'test/cli/run-kernels.test.ts',
	'npm ci && npm start': 'test/journeys/first-keys.test.ts, .ci/run',
	'npm ci && npm test': '.ci/run',
	'npm install -g .': 'test/install/install.test.ts',
	'npm install -g "$(npm pack --silent)"': 'test/install/install.test.ts',
	'npm uninstall -g svc-tui': 'test/install/install.test.ts',
	'rm -rf ~/.config/svc-tui ~/.local/share/svc-tui ~/.local/state/svc-tui ~/.cache/svc-tui':
		'test/install/install.test.ts',
	'svc-tui --ascii': 'test/tui/core',
	'svc-tui --theme light': 'test/tui/core',
	'svc-tui attach': 'test/cli/attach.test.ts',
	'svc-tui env list': 'test/cli/env.test.ts',
	'svc-tui env show data': 'test/cli/env.test.ts',
	'svc-tui env create plots pandas matplotlib': 'test/cli/env.test.ts',
	'svc-tui env allow plots': 'test/cli/env.test.ts',
	"svc-tui env create tables 'pandas>=2' pyarrow --python /usr/bin/python3.12":
		'test/service/jupyter-environments.test.ts',
	'svc-tui server create lab --environment tables --compute svc-medium --wait':
		'test/service/jupyter-environments.test.ts',
	'svc-tui server create lab --environment plots --compute svc-medium --wait': 'test/cli/env.test.ts',
	'svc-tui run': 'test/cli/run-kernels.test.ts',
	'svc-tui forward trainer 6006': 'test/service/remote/work-on-host.test.ts',
	'svc-tui shell': 'test/service/remote/work-on-host.test.ts',
	'svc-tui server open': 'test/cli/wait-open.test.ts',
	'svc-tui serve': 'test/service/serve-command.test.ts',
	'svc-tui work': 'test/cli/work-task.test.ts',
	'svc-tui work welcome --undo': 'test/cli/work-task.test.ts',
	"svc-tui work welcome 'what is in data/?'": 'test/cli/work-task.test.ts',
	"svc-tui work welcome 'write a report on data/gpu-prices.csv' --allow run,write":
		'test/cli/work-task.test.ts',
	'svc-tui --here': 'test/journeys/here.test.ts',
	'svc-tui local stop': 'test/cli/kept.test.ts',
	'svc-tui login': 'test/cli/login.test.ts',
	'svc-tui mcp': 'test/cli/mcp.test.ts',
	'svc-tui mcp --allow run,write': 'test/cli/mcp-work.test.ts',
	'svc-tui mcp --allow run,write,spend --max-price 2.50': 'test/cli/mcp-money.test.ts',
	'claude mcp add svc-tui -- svc-tui mcp': "an agent's own command",
	'claude mcp add svc-tui -- svc-tui mcp --allow run,write': "an agent's own command",
	'codex mcp add svc-tui -- svc-tui mcp': "an agent's own command",
	'svc-tui serve --port 8000 --mcp-allow run,write': 'test/cli/mcp-http.test.ts',
	'gemini mcp add -s user svc-tui svc-tui mcp': "an agent's own command",
	'svc-tui attach --name node17': 'test/cli/attach.test.ts',
	'svc-tui detach node17': 'test/cli/attach.test.ts',
	'ssh lab true': 'OpenSSH',
	"ssh lab 'python3 -m venv ~/.venv && ~/.venv/bin/pip install jupyter-server ipykernel'": 'pip',
	'svc-tui ssh add': 'test/service/remote/plain-host.test.ts',
	'svc-tui ssh add lab': 'test/service/remote/plain-host.test.ts',
	'svc-tui ssh adopt lab ID': 'test/service/remote/adopt.test.ts',
	'svc-tui ssh list lab': 'test/service/remote/adopt.test.ts',
	'svc-tui ssh login lab': 'test/service/remote/login.test.ts',
	'svc-tui ssh remove lab': 'test/service/remote/login.test.ts',
	'svc-tui compute --host lab': 'test/service/remote/plain-host.test.ts',
	'svc-tui environments': 'test/cli/usage.test.ts',
	'svc-tui server create trainer --environment lab-python3 --compute lab-A100x1 --wait':
		'test/service/remote/slurm.test.ts',
	'svc-tui run trainer train.py': 'test/cli/run-kernels.test.ts',
	'svc-tui server stop': 'test/service/remote/slurm.test.ts',
	'svc-tui server stop trainer': 'test/service/remote/slurm.test.ts',
	'svc-tui logout': 'test/cli/login.test.ts',
	'svc-tui job run welcome --name train -- python train.py --epochs 3': 'test/cli/jobs.test.ts',
	"svc-tui job run welcome -- sh -c 'python prepare.py && python train.py > log'": 'test/cli/jobs.test.ts',
	'svc-tui job logs -f welcome train': 'test/cli/jobs.test.ts',
	'svc-tui job wait welcome train && echo done': 'test/cli/jobs.test.ts',
	'SVC_API_KEY=… svc-tui serve --port 8000': 'test/service/serve-command.test.ts',
	'svc-tui serve --port 8000 --public-url https://nb.example.com/base --trusted-proxy 127.0.0.1':
		'test/service/proxies.test.ts',
	'svc-tui serve --engine jupyterhub --hub https://hub.example.com':
		'test/engines/jupyterhub/jupyterhub.test.ts',
};

/** A line of examples without its description. */
const example = (line: string): string => line.trim().replace(/ {2,}\S.*$/, '');

/** Fenced blocks that contain no commands, each with its reader. */
const OTHER_FENCES: Readonly<Record<string, string>> = {
	yaml: 'here',
	jsonc: 'here',
	json: 'test/service/catalogue/catalogue.test.ts, test/service/models/settings.test.ts',
	python: 'test/engines/jupyterhub/catalogue.test.ts, test/engines/jupyterhub/managed.test.ts',
	dockerfile: 'test/engines/jupyterhub/containers.test.ts',
	ini: 'test/engines/jupyterhub/managed.test.ts',
	nginx: 'test/service/proxies.test.ts',
	haproxy: 'test/service/proxies.test.ts, test/engines/jupyterhub/rolling.test.ts',
	caddy: 'test/service/proxies.test.ts',
};

/** False for a line of a drawn frame and for terms of a query, which test/frames checks. */
const isCommand = (line: string): boolean => !/^(?: |─|gpu:)/.test(line) && line !== '';

const fences = TEXTS.flatMap(text => [...text.matchAll(/^```(\w*)\n([^]*?)^```$/gm)]);

const documented = (): readonly string[] => {
	const inline = TEXTS.flatMap(text => [
		...text
			.replace(/<!-- commands -->[^]*<!-- \/commands -->/, '')
			.replace(/^```[^]*?^```$/gm, '')
			.matchAll(/`((?:[^`]*\| ?)?(?:[A-Z_]+=\S+ )?(?:source <\()?svc-tui [^`]+)`/g),
	]).map(([, each = '']) => each.replaceAll('\n', ' '));
	const fenced = fences
		.filter(([, language = '']) => language === '' || language === 'sh')
		.flatMap(([, , text = '']) => text.split('\n'))
		.filter(isCommand)
		.map(example);
	// A name in capitals is a placeholder for a value of the reader.
	return [...new Set([...inline, ...fenced])].filter(each => !/ [A-Z]{3,}\b/.test(each));
};

test('each command that README or a page prints is tried', () => {
	expect(
		fences
			.map(([, language = '']) => language)
			.filter(language => !['', 'sh'].includes(language) && !Object.hasOwn(OTHER_FENCES, language)),
	).toEqual([]);
	expect(documented().toSorted()).toEqual(
		[...Object.keys(PROMISES), ...Object.keys(TRIED_ELSEWHERE)].toSorted(),
	);
});

test.each(Object.entries(PROMISES))(
	'%s does what the documentation promises',
	{tags: 'long'},
	async (line, promise) => promise(line),
);

test.each([
	['README', () => README, 0],
	['the page of settings', () => page('settings'), 4],
] as const)('the settings of %s are valid as printed', async (_, text, code) => {
	const folder = join(home.folder, '.config/svc-tui');
	mkdirSync(folder, {recursive: true});
	writeFileSync(join(folder, 'settings.json'), fence(text(), 'jsonc'));
	const {code: ended, stdout} = await runCommand(['info'], {home});
	expect(ended).toBe(0);
	expect(stdout).toContain('settings.json');
	expect(stdout).not.toMatch(/settings\.json:\d+:/);
	const servers = await runCommand(['servers'], {home});
	expect(servers.code).toBe(code);
	// The key file of the profile does not exist; the rest of the profile is valid.
	if (code === 4) expect(servers.stderr).toContain('The profile work has no API key yet');
});
