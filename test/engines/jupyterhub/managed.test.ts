// @module-tag long
// The service as a process that a hub starts, with the entry of the page on hubs, and as a systemd
// unit.
import {spawnSync} from 'node:child_process';
import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {freePort} from '../../support/free-port.ts';
import {HUB_START_MS, hubMissing, startHub, type TestHub} from '../../support/hub.ts';
import {hubCatalogue, usersOf, type NewUser} from '../../support/hub-users.ts';
import {PROGRAM} from '../../support/program.ts';
import {tempFolder} from '../../support/temp-folder.ts';
import {waitFor} from '../../support/wait-for.ts';

if (hubMissing !== null) console.warn(`\n*** SKIPPED: no hub has started the service: ${hubMissing} ***\n`);

const PAGE = readFileSync(join(import.meta.dirname, '../../../src/docs/hub.md'), 'utf8');
/**
 * The first fenced block in this language. Each key of `changes` must occur in the block, and is
 * replaced by its value.
 */
const shown = (language: string, changes: Readonly<Record<string, string>>): string => {
	let [, text = ''] = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'm').exec(PAGE) ?? [];
	for (const [from, to] of Object.entries(changes)) {
		expect(text).toContain(from);
		text = text.replaceAll(from, to);
	}
	return text;
};

describe.skipIf(hubMissing !== null)('started by the hub', () => {
	let hub: TestHub;
	let newUser: NewUser;
	let url: string;
	const temp = tempFolder();
	beforeAll(async () => {
		const catalogueFile = join(temp.path, 'catalogue.json');
		writeFileSync(catalogueFile, JSON.stringify(hubCatalogue));
		hub = await startHub({
			SVC_TEST_HUB_SERVICES: shown('python', {
				"['svc-tui', 'serve'": `['${PROGRAM}', 'serve'`,
				'127.0.0.1:9999': `127.0.0.1:${await freePort()}`,
				'/etc/svc-tui/catalogue.json': catalogueFile,
			}),
		});
		url = `${hub.url}/services/svc-tui`;
		newUser = usersOf(hub, {service: {url}});
		await waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), {interval: 100});
	}, HUB_START_MS);
	afterAll(async () => {
		await hub?.[Symbol.asyncDispose]();
		temp[Symbol.dispose]();
	});

	test("two users work through the hub's own proxy, each with servers of their own", async () => {
		await using ann = await newUser('ann');
		await using bob = await newUser('bob');
		await ann.create('lab');
		expect(await ann.command('run', 'lab', '-c', 'print(6 * 7)')).toMatchObject({code: 0, stdout: '42\n'});
		expect(await ann.command('servers', '--json')).toMatchObject({
			code: 0,
			stdout: expect.stringContaining(`"assistant_editor_url": "${url}/editor/lab"`),
		});
		expect(await bob.command('servers')).toMatchObject({code: 0, stdout: expect.not.stringContaining('lab')});
		expect(await bob.command('run', 'lab', '-c', '1')).toMatchObject({code: 3});
	});

	test("the page for tokens that it names is the hub's own, where users reach it", async () => {
		expect(await (await fetch(`${url}/local/key-page`)).json()).toMatchObject({
			key_page: `${hub.url}/hub/token`,
		});
	});

	test('it stores nothing in a folder, and its log is with the hub, without a token', async () => {
		await using ann = await newUser('ann');
		expect(await ann.command('servers')).toMatchObject({code: 0});
		const log = (): string => readFileSync(join(hub.folder, 'hub.log'), 'utf8');
		await waitFor(() => expect(log()).toMatch(/ GET \/api\/servers 200 /));
		expect(log()).not.toContain(ann.place.env?.['SVC_API_KEY']);
		expect(existsSync(join(hub.folder, '.local'))).toBe(false);
		expect(readdirSync(hub.folder).filter(name => /instance|key/.test(name))).toEqual([]);
	});
});

const systemd =
	spawnSync('systemd-analyze', ['--version']).status === 0 ? null : 'there is no systemd-analyze';
if (systemd !== null) console.warn(`*** NOT TESTED: the unit of systemd, since ${systemd}. ***`);

test.skipIf(systemd !== null)('systemd finds nothing wrong with the unit of the page', () => {
	using temp = tempFolder();
	const file = join(temp.path, 'svc-tui.service');
	const verify = (unit: string): string => {
		writeFileSync(file, unit);
		const {stderr} = spawnSync('systemd-analyze', ['verify', file], {encoding: 'utf8'});
		// The output also lists errors in other units of this machine.
		return stderr
			.split('\n')
			.filter(line => line.includes('svc-tui'))
			.join('\n');
	};
	const unit = shown('ini', {'/usr/local/bin/svc-tui': PROGRAM});
	expect(verify(unit)).toBe('');
	expect(verify(unit.replace('[Service]', '[Service]\nType=none'))).not.toBe('');
});
