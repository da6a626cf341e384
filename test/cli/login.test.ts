import {mkdir, readdir, readFile, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {json, startHostileService, type HostileService} from '../faults/hostile-service.ts';
import {newHome, type Home} from '../support/program.ts';
import {runHere} from '../support/run-here.ts';
import {canned, list, onTerminal} from './support.ts';

const KEY = 'canary-of-login-8c21';

let home: Home;
let service: HostileService;
beforeEach(async () => {
	home = await newHome();
	service = await startHostileService();
});
afterEach(async () => {
	await service[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
});

const folder = (): string => join(home.folder, '.config/svc-tui');
const settings = async (): Promise<string> => readFile(join(folder(), 'settings.json'), 'utf8');
const profileOf = (url: string): string => new URL(url).host.replace(':', '-');
const login = async (args: readonly string[] = [], input = `${KEY}\n`) =>
	runHere(['login', '--base-url', service.baseUrl, ...args], {home, input});
/** True if a sign-in has left nothing on disk. */
const nothingStored = async (): Promise<boolean> => (await readdir(folder()).catch(() => [])).length === 0;

test('a key that is piped in is checked, stored in a file of its own that only its owner can read, and used from then on', async () => {
	const {code, stdout, stderr} = await login();
	const keyFile = join(folder(), 'keys', profileOf(service.baseUrl));
	expect(code).toBe(0);
	expect(stderr).toBe(
		`If ${new URL(service.baseUrl).host} accepts it, the key is stored for profile ${profileOf(service.baseUrl)} in ${keyFile}, readable only by you.\n`,
	);
	expect(stdout).toMatch(/^Signed in to 127\.0\.0\.1:\d+ \(1 environment\)\. Profile \S+ is the default/);
	expect(service.asked).toEqual(['GET /api/environments']);
	expect(service.keys).toEqual([KEY]);
	expect(await readFile(keyFile, 'utf8')).toBe(`${KEY}\n`);
	expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
	expect(JSON.parse(await settings())).toEqual({
		profile: profileOf(service.baseUrl),
		profiles: {[profileOf(service.baseUrl)]: {baseUrl: service.baseUrl}},
	});
	expect(await runHere(['servers'], {home})).toMatchObject({
		code: 0,
		stdout: expect.stringContaining('calm'),
	});
});

test('on a terminal the key is asked for, takes a paste, and is never shown', async () => {
	const {code, text} = await onTerminal(['login', '--base-url', service.baseUrl, '--profile', 'work'], {
		home,
		type: {after: /API key of/, text: `\u001B[200~ ${KEY}\u001B[201~\r`},
	});
	expect(code).toBe(0);
	expect(text).toMatch(/API key of 127\.0\.0\.1:\d+ \(not shown\): \*{20}/);
	// The storage location is printed before the user is asked for the key.
	expect(text.indexOf('is stored for profile')).toBeLessThan(text.indexOf('API key of'));
	expect(text).not.toContain(KEY);
	// The service is asked for its page of keys before the user has a key.
	expect(service.asked).toEqual(['GET /local/key-page', 'GET /api/environments']);
	expect(service.keys).toEqual(['undefined', KEY]);
	expect(JSON.parse(await settings())).toMatchObject({profile: 'work'});
});

test('Ctrl-C at the question stores nothing and leaves the terminal as it was', async () => {
	const {code, text} = await onTerminal(['login', '--base-url', service.baseUrl], {
		home,
		type: {after: /API key of/, text: 'half\u0003'},
	});
	expect(code).toBe(130);
	expect(text).toContain('nothing was stored');
	expect(service.asked).toEqual(['GET /local/key-page']);
	expect(service.keys).toEqual(['undefined']);
	expect(await nothingStored()).toBe(true);
});

test("of a service's page for its keys only a web address is shown, harmless as text", async () => {
	const shown = async (key_page: unknown): Promise<string> => {
		await using other = await canned({
			'GET /local/key-page': {key_page},
			'GET /api/environments': list('environments'),
		});
		const {code, text} = await onTerminal(['login', '--base-url', other.url, '--profile', 'other'], {
			home,
			type: {after: /API key of/, text: `${KEY}\r`},
		});
		expect(code).toBe(0);
		return /Create a key for \S+ at (.*) \(press Enter/.exec(text)?.[1] ?? '';
	};
	expect(await shown('https://keys.example/\u001B]0;x\u0007\u202Epage')).toMatch(
		/^https:\/\/keys\.example\/[\x21-\x7e]*page$/,
	);
	for (const bad of [
		'javascript:alert(1)',
		'file:///etc/passwd',
		'https://ann:pw@keys.example/',
		'/token',
		7,
	])
		expect([bad, await shown(bad)]).toEqual([bad, '']);
});

test('a key that the service refuses is not stored; the exit code is 4', async () => {
	service.answer({environments: () => json({error: 'no'}, 401)});
	const {code, stdout, stderr} = await login();
	expect({code, stdout}).toEqual({code: 4, stdout: ''});
	expect(stderr).toMatch(
		/rejected the API key \(401\)[^\n]*\nNothing was stored\. Check the key and try again\.\n$/,
	);
	expect(stderr).not.toContain(KEY);
	expect(await nothingStored()).toBe(true);
});

test('a service that cannot be reached, an address that is none or holds a password, and no key store nothing', async () => {
	expect(await runHere(['login', '--base-url', 'http://127.0.0.1:1'], {home, input: KEY})).toMatchObject({
		code: 5,
	});
	expect(await runHere(['login', '--base-url', 'notebooks'], {home, input: KEY})).toMatchObject({code: 2});
	const {code, stderr} = await runHere(['login', '--base-url', 'https://ann:canary@notebooks.example'], {
		home,
		input: KEY,
	});
	expect(code).toBe(2);
	expect(stderr).not.toContain('canary');
	expect(await login([], '')).toMatchObject({
		code: 4,
		stderr: expect.stringContaining('No API key was typed or piped in'),
	});
	expect(await runHere(['login'], {home, input: KEY})).toMatchObject({
		code: 2,
		stderr: expect.stringContaining('--base-url'),
	});
	expect(await nothingStored()).toBe(true);
});

test('a second service is one profile more: comments and the default stay, and it signs in again by its name', async () => {
	await mkdir(folder(), {recursive: true});
	await writeFile(
		join(folder(), 'settings.json'),
		'{\n\t// mine\n\t"theme": "light",\n\t"profile": "local",\n}\n',
	);
	expect((await login(['--profile', 'work'])).stdout).toContain('Use it with --profile work');
	expect(await settings()).toContain('// mine');
	expect(await runHere(['login', '--profile', 'work'], {home, input: 'another'})).toMatchObject({code: 0});
	expect(await readFile(join(folder(), 'keys/work'), 'utf8')).toBe('another\n');
	expect((await runHere(['servers', '--profile', 'work'], {home})).stdout).toContain('calm');
	const {profiles} = JSON.parse((await runHere(['info', '--json'], {home})).stdout) as {
		readonly profiles: unknown;
	};
	expect(profiles).toMatchObject({
		work: {host: new URL(service.baseUrl).host, key: 'stored', read_only: false, default: false},
		local: {default: true},
	});
});

test('settings that cannot be understood are left as they are', async () => {
	await mkdir(folder(), {recursive: true});
	await writeFile(join(folder(), 'settings.json'), '{"theme": "light"');
	expect(await login()).toMatchObject({
		code: 2,
		stderr: expect.stringContaining('settings.json:1: invalid JSON'),
	});
	expect(await settings()).toBe('{"theme": "light"');
	expect(service.asked).toEqual([]);
});

test('logout removes the key and keeps the profile; a second one says that there is none', async () => {
	await login(['--profile', 'work']);
	expect(await runHere(['logout'], {home})).toMatchObject({
		code: 0,
		stdout: expect.stringContaining('The API key of work was removed'),
	});
	await expect(stat(join(folder(), 'keys/work'))).rejects.toThrow('ENOENT');
	expect(await settings()).toContain('"work"');
	expect(await runHere(['logout', '--json'], {home})).toMatchObject({
		code: 0,
		stdout: expect.stringContaining('"removed": false'),
	});
	expect(await runHere(['servers'], {home})).toMatchObject({
		code: 4,
		stderr: expect.stringContaining('svc-tui login --profile work'),
	});
	expect(await runHere(['logout', '--profile', 'local'], {home})).toMatchObject({code: 2});
});

test('the local service is not signed in to', async () => {
	expect(await login(['--profile', 'local'])).toMatchObject({
		code: 2,
		stderr: expect.stringContaining('needs no sign-in'),
	});
});

test('a new key that may not list the environments is refused as a key, and not stored', async () => {
	service.answer({environments: () => json({message: 'unknown key'}, 403)});
	const {code, stderr} = await login();
	expect(code).toBe(4);
	expect(stderr).toContain('(403): unknown key.\nNothing was stored. Check the key and try again.');
	expect(await nothingStored()).toBe(true);
});
