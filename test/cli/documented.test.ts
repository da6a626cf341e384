import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {FILES_HELP, QUERY_HELP, RECIPE_HELP} from '../../src/cli/topics.ts';
import {newHome, runCommand, type Home} from '../support/program.ts';
import {serve, shell, type Served} from './support.ts';

// Every command that README and the help topics print is run as it is printed, and does here what they say.

const README = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');

let home: Home;
let service: Served;
/** A folder as its reader may stand in: a clone has README.md, the help's examples name the others. */
const here = (): string => join(home.folder, 'work');
beforeAll(async () => {
	home = await newHome();
	service = await serve(home);
	expect(await service.run(['server', 'start', 'welcome', '--wait'])).toMatchObject({code: 0});
	for (const folder of ['data', 'notes']) mkdirSync(join(here(), folder), {recursive: true});
	for (const name of ['README.md', 'train.py', 'data/a.csv', 'data/b.csv', 'more.txt'])
		writeFileSync(join(here(), name), `# ${name}\n`);
	writeFileSync(join(here(), 'train.yaml'), fence('yaml'));
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

/** The first fenced block of README in this language. */
const fence = (language: string): string =>
	new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'm').exec(README)?.[1] ?? '';

const cellOf = (source: string, tags: readonly string[]): object => ({
	cell_type: 'code',
	execution_count: null,
	metadata: {tags},
	outputs: [],
	source,
});

/** With nothing set, on the local service that the program starts by itself; else on one that runs already, which is quicker. */
const run = async (
	line: string,
	env: Served['env'] = service.env,
): Promise<{readonly code: number; readonly stdout: string; readonly stderr: string}> => {
	const {code, stdout, stderr} = await shell(line, {home, env, cwd: here()});
	return {code, stdout: stdout.toString(), stderr};
};

/** What each promises: how it ends and what it prints or leaves. */
const PROMISES: Readonly<Record<string, (line: string) => Promise<void>>> = {
	async "printf 'x=21\\nprint(x*2)' | svc-tui run welcome -"(line) {
		expect(await run(line, {})).toMatchObject({code: 0, stdout: '42\n'});
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
	async 'svc-tui run welcome train.ipynb -o out.ipynb -p epochs=3'(line) {
		expect(await run(line)).toMatchObject({code: 0, stdout: ''});
		expect(readFileSync(join(here(), 'out.ipynb'), 'utf8')).toContain('epochs: 3');
	},
	async 'svc-tui files put welcome train.py src/'(line) {
		expect(await run(line)).toMatchObject({code: 0});
		expect((await run('svc-tui files get welcome src/train.py')).stdout).toBe('# train.py\n');
	},
	async "svc-tui files put welcome 'data/*.csv' more.txt in/"(line) {
		expect(await run(line)).toMatchObject({code: 0});
		expect((await run('svc-tui files list welcome in')).stdout).toMatch(/a\.csv[^]*b\.csv[^]*more\.txt/);
	},
	async 'svc-tui files get welcome data -o here'(line) {
		expect(await run(line)).toMatchObject({code: 0});
		expect(
			existsSync(join(here(), 'here/gpu-prices.csv')) || existsSync(join(here(), 'here/data/gpu-prices.csv')),
		).toBe(true);
	},
	async 'tar c . | svc-tui files put welcome - all.tar'(line) {
		expect(await run(line)).toMatchObject({code: 0});
		expect(
			(await run('svc-tui files get welcome all.tar -o ../back.tar && tar tf ../back.tar')).stdout,
		).toContain('./train.py');
	},
};

/** Tried elsewhere: in the shells, at a terminal, with a hub or a proxy. */
const TRIED_ELSEWHERE: Readonly<Record<string, string>> = {
	'svc-tui completion fish | source': 'test/cli/completion.test.ts',
	'svc-tui local stop': 'test/cli/kept.test.ts',
	'svc-tui login': 'test/cli/login.test.ts',
	'svc-tui attach --name node17': 'test/cli/attach.test.ts',
	'svc-tui detach node17': 'test/cli/attach.test.ts',
	'svc-tui logout': 'test/cli/login.test.ts',
	'SVC_API_KEY=… svc-tui serve --port 8000': 'test/service/serve-command.test.ts',
	'svc-tui serve --port 8000 --public-url https://nb.example.com/base --trusted-proxy 127.0.0.1':
		'test/service',
	'svc-tui serve --engine jupyterhub --hub https://hub.example.com':
		'test/engines/jupyterhub/jupyterhub.test.ts',
};

/** A line of examples without what is said of it. */
const example = (line: string): string => line.trim().replace(/ {2,}\S.*$/, '');

const documented = (): readonly string[] => {
	const withoutTables = README.replace(/<!-- commands -->[^]*<!-- \/commands -->/, '').replace(
		/^```[^]*?^```$/gm,
		'',
	);
	const inReadme = [
		...withoutTables.matchAll(/`((?:[^`]*\| ?)?(?:[A-Z_]+=\S+ )?(?:source <\()?svc-tui [^`]+)`/g),
	].map(([, each = '']) => each.replaceAll('\n', ' '));
	const inHelp = [QUERY_HELP, FILES_HELP, RECIPE_HELP]
		.join('\n')
		.split('\n')
		.map(example)
		.filter(line => /^(?:\w+ \S+ \. \| )?svc-tui [a-z]/.test(line) && !line.endsWith('.'));
	// A name in capitals stands for something of the reader's own.
	return [...new Set([...inReadme, ...inHelp])].filter(each => !/ [A-Z]{3,}\b/.test(each));
};

test('each command that README or the help prints is tried', () => {
	expect(documented().toSorted()).toEqual(
		[...Object.keys(PROMISES), ...Object.keys(TRIED_ELSEWHERE)].toSorted(),
	);
});

test.each(Object.entries(PROMISES))('%s does what is said of it', {tags: 'long'}, async (line, promise) =>
	promise(line),
);

test('the query of README finds an offer here', async () => {
	const [, query = ''] = /a typed query \(`([^`]+)`/.exec(README) ?? [];
	expect(query).toContain('gpu:');
	expect(await service.run(['compute', '--query', query.replaceAll(/\s+/g, ' ')])).toMatchObject({
		code: 0,
		stdout: expect.stringMatching(/H100/),
		stderr: '',
	});
});

test("README's settings are taken as they stand", async () => {
	const folder = join(home.folder, '.config/svc-tui');
	mkdirSync(folder, {recursive: true});
	writeFileSync(join(folder, 'settings.json'), fence('jsonc'));
	const {code, stdout} = await runCommand(['info'], {home});
	expect(code).toBe(0);
	expect(stdout).toContain('settings.json');
	expect(stdout).not.toMatch(/settings\.json:\d+:/);
	// It names a key file that is not there: all but that is right.
	expect(await runCommand(['servers'], {home})).toMatchObject({
		code: 4,
		stderr: expect.stringContaining('The profile work has no API key yet'),
	});
});
