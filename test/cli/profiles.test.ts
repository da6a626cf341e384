import {chmod, mkdir, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {startHostileService, serverItem, success, type HostileService} from '../faults/hostile-service.ts';
import {answering} from '../support/peer.ts';
import {newHome, runCommand, type Home} from '../support/program.ts';
import {runHere} from '../support/run-here.ts';
import {onTerminal} from './support.ts';

let home: Home;
let one: HostileService;
let other: HostileService;
beforeEach(async () => {
	home = await newHome();
	const named = async (name: string): Promise<HostileService> =>
		startHostileService({servers: () => success({servers: [serverItem(`of-${name}`)]})});
	[one, other] = await Promise.all([named('one'), named('other')]);
});
afterEach(async () => {
	await Promise.all([one, other].map(async each => each[Symbol.asyncDispose]()));
	await home[Symbol.asyncDispose]();
});

const folder = (): string => join(home.folder, '.config/svc-tui');
/** Writes the settings, and a key file for each profile. */
const settings = async (text: string, keys: Readonly<Record<string, string>> = {}): Promise<string> => {
	await mkdir(join(folder(), 'keys'), {recursive: true});
	const file = join(folder(), 'settings.json');
	await writeFile(file, text);
	for (const [name, key] of Object.entries(keys))
		await writeFile(join(folder(), 'keys', name), key, {mode: 0o600});
	return file;
};
const twoProfiles = (): string => `{
	// one of two
	"profile": "one",
	"profiles": {
		"one": {"baseUrl": "${one.baseUrl}"},
		"other": {"baseUrl": "${other.baseUrl}/", "readOnly": true, "keyFile": "keys/second"},
	},
}`;
const run = async (
	args: readonly string[],
	options: {readonly env?: Record<string, string>; readonly input?: string} = {},
) => runHere(args, {home, ...options});

test('the profile that the settings name is used, and --profile names another', async () => {
	await settings(twoProfiles(), {one: 'key-one', second: 'key-two\n'});
	expect((await run(['servers'])).stdout).toContain('of-one');
	expect((await run(['servers', '--profile', 'other'])).stdout).toContain('of-other');
	expect(one.keys).toEqual(['key-one', 'key-one']);
	expect(new Set(other.keys)).toEqual(new Set(['key-two']));
});

test('--base-url and SVC_BASE_URL come before the profile of the settings, and its key does not go there', async () => {
	await settings(twoProfiles(), {one: 'key-one'});
	expect((await run(['servers'], {env: {SVC_BASE_URL: other.baseUrl, SVC_API_KEY: 'own'}})).stdout).toContain(
		'of-other',
	);
	expect(await run(['servers', '--base-url', other.baseUrl])).toMatchObject({
		code: 4,
		stderr: expect.stringContaining('needs an API key: set SVC_API_KEY'),
	});
	expect(new Set(other.keys)).toEqual(new Set(['own']));
	expect(await run(['servers', '--base-url', other.baseUrl, '--profile', 'one'])).toMatchObject({
		code: 2,
		stderr: expect.stringContaining('either --base-url or --profile'),
	});
});

test('a read-only profile sends GET requests only, and each refusal gives a remedy', async () => {
	await settings(twoProfiles(), {second: 'key-two'});
	for (const args of [
		['run', 'of-other', '-c', '1'],
		['chat', 'of-other', 'hello'],
		['work', 'of-other', 'tidy up'],
		['server', 'start', 'of-other'],
		['server', 'stop', 'of-other'],
		['detach', 'of-other'],
		['job', 'cancel', 'of-other', 'train'],
		['files', 'mv', 'of-other', 'a', 'b'],
		['files', 'mkdir', 'of-other', 'a'],
		['files', 'rm', 'of-other', 'a'],
		['files', 'put', 'of-other', join(folder(), 'settings.json'), 'a.json'],
		['server', 'create', 'new', '--environment', 'ai', '--compute', 'svc-medium'],
		['api', 'POST', '/api/servers/of-other/start', '-d', '{}'],
		['api', 'DELETE', '/api/servers/of-other'],
	]) {
		const {code, stderr} = await run([...args, '--profile', 'other', '--json']);
		expect({args, code, error: JSON.parse(stderr).error}).toMatchObject({
			args,
			code: 2,
			error: {code: 'read-only', next: expect.stringContaining('remove "readOnly" from this one')},
		});
	}
	expect(other.asked.filter(line => !line.startsWith('GET'))).toEqual([]);
});

test('with "live": false no command speaks with a server at its own address', {tags: 'long'}, async () => {
	await using place = await answering(404);
	one.answer({
		servers: () => success({servers: [serverItem('of-one', {url: `${place.url}/`, token: 'of-server'})]}),
		run: () =>
			success({content: {cell_type: 'code', execution_count: 1, metadata: {}, source: '1', outputs: []}}),
	});
	const notebook = join(home.folder, 'a.ipynb');
	await writeFile(
		notebook,
		JSON.stringify({
			nbformat: 4,
			nbformat_minor: 4,
			metadata: {},
			cells: [{cell_type: 'code', execution_count: null, metadata: {}, source: '1', outputs: []}],
		}),
	);
	const commands: readonly (readonly string[])[] = [
		['run', 'of-one', '-c', '1'],
		['run', 'of-one', '-c', '1', '--env', 'A=1'],
		['run', 'of-one', notebook],
		['files', 'of-one'],
		['files', 'mv', 'of-one', 'a', 'b'],
		['files', 'mkdir', 'of-one', 'a'],
		['files', 'rm', 'of-one', 'a'],
		['forward', 'of-one', '9'],
	];
	const says = async (live: boolean): Promise<unknown> =>
		settings(`{"profile": "one", "profiles": {"one": {"baseUrl": "${one.baseUrl}", "live": ${live}}}}`, {
			one: 'key-one',
		});
	const asks = async (args: readonly string[]): Promise<boolean> => {
		const before = place.asked.length;
		await run(args);
		return place.asked.length > before;
	};
	await says(true);
	// These commands first check whether a service responds at the address.
	for (const args of [...commands.slice(0, 3), ['files', 'mv', 'of-one', 'a', 'b']])
		expect({args, asks: await asks(args)}).toEqual({args, asks: true});
	await says(false);
	for (const args of commands) expect({args, asks: await asks(args)}).toEqual({args, asks: false});
	const {text} = await onTerminal(['shell', 'of-one'], {home});
	expect(text).toContain('the profile one says "live": false');
});

test('the key comes from --api-key-file, then SVC_API_KEY, then the profile, and never from the pair of another address', async () => {
	await settings(twoProfiles(), {one: 'stored'});
	const list = ['servers', '--json', '--profile', 'one'];
	await run([...list, '--api-key-file', '-'], {env: {SVC_API_KEY: 'variable'}, input: 'piped\n'});
	await run(list, {env: {SVC_API_KEY: 'variable'}});
	await run(list);
	await run(list, {env: {SVC_BASE_URL: other.baseUrl, SVC_API_KEY: 'of-the-other'}});
	// Each command requests the servers and their prices.
	expect(one.keys).toEqual(['piped', 'variable', 'stored', 'stored'].flatMap(key => [key, key]));
	expect(other.keys).toEqual([]);
});

test(
	'with no service named the local one is used, and SVC_API_KEY is not sent to it',
	{tags: 'long'},
	async () => {
		await settings('{"theme": "light"}');
		expect(await runCommand(['servers'], {home, env: {SVC_API_KEY: 'not-for-it'}})).toMatchObject({
			code: 0,
			stdout: expect.stringContaining('welcome'),
		});
		await settings(twoProfiles());
		expect(await runCommand(['servers', '--profile', 'local'], {home})).toMatchObject({
			code: 0,
			stdout: expect.stringContaining('welcome'),
		});
	},
);

test('a missing profile, or one without a key, names the command to type', async () => {
	const file = await settings(twoProfiles());
	expect(await run(['servers', '--profile', 'nope'])).toMatchObject({
		code: 2,
		stderr: `There is no profile "nope" in ${file}; profiles are local, one, other. svc-tui login --profile NAME adds one.\n`,
	});
	expect(await run(['servers'])).toMatchObject({
		code: 4,
		stderr: 'The profile one has no API key yet. svc-tui login --profile one asks for it.\n',
	});
});

test('a key file that others may read is refused with the command that closes it', async () => {
	await settings(twoProfiles(), {one: 'key-one'});
	const file = join(folder(), 'keys/one');
	await writeFile(file, 'x');
	await chmod(file, 0o644);
	expect(await run(['servers'])).toMatchObject({
		code: 2,
		stderr: `The key file ${file} must be private: run chmod 600 on it.\n`,
	});
	expect((await stat(file)).mode & 0o777).toBe(0o644);
});

test.each([
	['{\n\t"theme": "light"\n\t"ascii": true\n}', /:3: invalid JSON/],
	['{\n\t"theme": "pink"\n}', /:2: theme must be one of "terminal", "dark", "light", "high-contrast"\.$/],
	['{"colours": {\n\t"accent": "red"\n}}', /:2: colours\.accent must be a colour such as "#ff8800"\.$/],
	[
		'{"colours": {\n\t"pink": "#ff8800"\n}}',
		/:2: colours\.pink is unknown; colours are those of accent, dim,/,
	],
	[
		'{"columns": {\n\t"servers": ["state"]\n}}',
		/:2: columns\.servers must be a list of different columns with "name"; columns are name, state,/,
	],
	[
		'{"columns": {\n\t"files": []\n}}',
		/:2: columns\.files is unknown; columns are those of servers, compute\.$/,
	],
	['{\n\n\t"them": "dark"\n}', /:3: them is unknown; the settings have profile, theme/],
	[
		'{"profiles": {\n\t"one": {\n\t\t"baseUrl": "notebooks"\n}}}',
		/:3: profiles\.one\.baseUrl is not an address; write one such as "https:/,
	],
	[
		'{"profiles": {\n\t"local": {\n\t\t"dailyLimit": 0\n}}}',
		/:3: profiles\.local\.dailyLimit must be a number above 0, as in 20\.$/,
	],
	['{"profiles": {\n\t"one": {\n\t\t"readOnly": true\n}}}', /:2: profiles\.one needs "baseUrl", as in/],
	[
		'{"profiles": {\n"one": {"baseUrl": "https://one.example",\n"apiKey": "canary-4711"\n}}}',
		/:3: profiles\.one\.apiKey: do not put API keys in this file; svc-tui login/,
	],
	[
		'{"profiles": {\n"one": {"baseUrl": "https://ann:canary-4711@one.example"\n}}}',
		/:2: profiles\.one\.baseUrl contains a user name or password/,
	],
	['{\n"profile": "nope"\n}', /:2: profile names "nope", which does not exist; the profiles are local\.$/],
	[
		'{"profiles": {\n"a b": {"baseUrl": "https://one.example"}\n}}',
		/:2: profiles\.…: a profile name is 1 to 64 letters/,
	],
	[
		'{"commands": {\n"gpu": {"run": "!nvidia-smi", "keys": "ctrl+g"}\n}}',
		/:2: commands\.gpu\.keys(?: is unknown; a command has run, key|: do not put API keys)/,
	],
	[
		'{"commands": {\n"gpu": "!nvidia-smi"\n}}',
		/:2: commands\.gpu must be an object such as \{"run": "!nvidia-smi"/,
	],
	[
		'{"commands": {\n"gpu": {"run": " "}\n}}',
		/:2: commands\.gpu\.run must be the code that it runs on the server/,
	],
	['{"commands": {\n"a b": {"run": "1"}\n}}', /:2: commands\.…: a command name is 1 to 32 letters/],
	['[]', /:1: it must be an object/],
])('settings as %j are reported with file, line and what to write', {tags: 'long'}, async (text, message) => {
	const file = await settings(text);
	const {code, stdout, stderr} = await run(['servers']);
	expect({code, stdout}).toEqual({code: 2, stdout: ''});
	expect(stderr.startsWith(file)).toBe(true);
	expect(stderr.trim()).toMatch(message);
	expect(stderr).not.toContain('canary-4711');
	// Settings are not needed if the command line has the service's address.
	expect(await run(['servers'], {env: one.env})).toMatchObject({code: 0});
});

test("a profile's models are asked by their ids or names, its first one by default", async () => {
	await settings(
		`{"profile": "one", "profiles": {"one": {"baseUrl": "${one.baseUrl}", "models": [{"id": "fast-1", "name": "Fast"}, "slow-2"]}}}`,
		{one: 'key'},
	);
	for (const args of [[], ['-m', 'Fast'], ['-m', 'slow-2']])
		expect(await run(['chat', 'of-one', 'hello', ...args])).toMatchObject({code: 0, stdout: 'an answer'});
	expect(one.asked.filter(line => line.includes('assistant')).map(line => line.split('/').at(-1))).toEqual([
		'fast-1',
		'fast-1',
		'slow-2',
	]);
});
