import {once} from 'node:events';
import net from 'node:net';
import {gzipSync} from 'node:zlib';
import {expect, test, vi} from 'vitest';
import {freePort} from '../support/free-port.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {
	json,
	serverItem,
	startHostileService,
	success,
	type Answer,
	type HostileService,
} from './hostile-service.ts';
import {waitFor} from '../support/wait-for.ts';

vi.setConfig({testTimeout: 240_000});

const web = (body: string, status = 200): Answer => ({status, type: 'text/html', body});
const lost = (): Answer => {
	throw new Error('the connection is lost');
};

/** Faults of a list: the response, and the message of the screen. */
const FAULTS: readonly (readonly [string, () => Answer, RegExp])[] = [
	['a lost connection', lost, /was lost before the response was complete/],
	['503', () => json({message: 'maintenance'}, 503), /is unavailable \(503\): maintenance/],
	['502 with a web page', () => web('<h1>Bad gateway</h1>', 502), /is unavailable \(502\)/],
	[
		'429 that asks for 5 s',
		() => ({...json({error: 'slow down'}, 429), headers: {'retry-after': '5'}}),
		/asks for fewer requests \(429\): slow down[^]*Try again in 5 s, as the service asks/,
	],
	[
		'429 that asks for a day',
		() => ({...json({}, 429), headers: {'retry-after': '86400'}}),
		/Try again in 24 h, as the service asks/,
	],
	[
		'429 that asks for nothing one can read',
		() => ({...json({}, 429), headers: {'retry-after': 'soon'}}),
		/\(429\)[^]*Wait a little/,
	],
	['401', () => json({error: 'no'}, 401), /rejected the API key \(401\)/],
	['403', () => json({error: 'no'}, 403), /rejected the API key \(403\)/],
	[
		'a redirect elsewhere',
		() => ({status: 302, headers: {location: 'https://elsewhere.example/login?key=x'}, body: ''}),
		/redirects to https:\/\/elsewhere\.example \(302\)/,
	],
	['500 with JSON', () => json({message: 'division by zero'}, 500), /failed \(500\): division by zero/],
	['500 with nothing', () => ({status: 500, body: ''}), /failed \(500\)/],
	[
		'500 with escape sequences',
		() => json({message: '\u001B]52;c;eA==\u0007\u001B[2Jboo'}, 500),
		/failed \(500\): .*\^\[\]52;c;eA==\^G\^\[\[2Jboo/,
	],
	[
		'a reason phrase with an escape sequence',
		() => ({status: 404, reason: '\u001B[2Jgone', body: '{}'}),
		/\(404\)/,
	],
	['200 with a web page', () => web('<html>Sign in to the hotel</html>'), /sent a web page instead of/],
	['200 with nothing', () => ({body: ''}), /sent an empty response/],
	['half of an answer', () => ({body: '{"status":"success","servers":['}), /sent something that is not/],
	['another shape', () => success({servers: 'none'}), /servers/],
	['not a success', () => json({status: 'error', servers: []}), /status/],
	[
		'a gzip bomb',
		() => ({headers: {'content-encoding': 'gzip'}, body: gzipSync(Buffer.alloc(64 << 20))}),
		/is larger than \d+ MiB/,
	],
	['damaged gzip', () => ({headers: {'content-encoding': 'gzip'}, body: 'no gzip at all'}), /damaged/],
	['endless headers', () => ({headers: {'x-long': 'x'.repeat(40_000)}, body: '{}'}), /headers are too large/],
];

/**
 * Waits until one frame contains both texts. During a reload the old sentence is visible too, below
 * another title.
 */
const untilBoth = async (terminal: Terminal, name: string, said: RegExp, kept: RegExp): Promise<string> =>
	terminal.untilTrue(`${name}: ${said} and ${kept}`, () => {
		const screen = terminal.screen();
		return said.test(screen) && kept.test(screen);
	});

/** Faults that every list is tested with: one of each kind. */
const OF_EACH_KIND = FAULTS.filter(([name]) =>
	[
		'a lost connection',
		'503',
		'401',
		'500 with escape sequences',
		'200 with a web page',
		'half of an answer',
		'not a success',
	].includes(name),
);

const calm = success({servers: [serverItem('calm'), serverItem('asleep', {status: 'offline'})]});

test(
	'any failure of the list of servers: old rows stay, the message gives the problem and the remedy, and the next good response clears it',
	{tags: 'long'},
	async () => {
		await using service = await startHostileService({servers: () => calm});
		await using home = await newHome();
		await using terminal = await openProgram({home, columns: 170, rows: 30, env: service.env});
		await terminal.until(/asleep +\S offline/);
		for (const [name, answer, said] of FAULTS) {
			service.answer({servers: answer});
			pressAction(terminal, 'global', 'refresh');
			const isRejected = /^40[13]$/.test(name);
			if (isRejected) {
				// A rejected key opens the sign-in.
				await terminal.until('╭ Sign in');
				pressAction(terminal, 'signIn', 'cancel');
				await terminal.gone('╭ Sign in');
			}
			await untilBoth(
				terminal,
				name,
				said,
				new RegExp(
					`\\d+ s old[^]*${isRejected ? '^' : 'Next try in \\d+ (?:s|min \\d\\d s)'} {3}R now[^]*▸ calm +\\S ready[^]*asleep +\\S offline`,
					'm',
				),
			);
			// A rejected key is not tried again.
			if (isRejected) expect(terminal.screen(), name).not.toContain('Next try');
			// The screen still reacts to keys.
			pressAction(terminal, 'servers', 'down');
			await terminal.until(/▸ asleep/);
			pressAction(terminal, 'servers', 'up');
			await terminal.until(/▸ calm/);
			service.answer({servers: () => calm});
			pressAction(terminal, 'global', 'refresh');
			await terminal.until('just now');
			expect(terminal.screen()).not.toMatch(said);
		}
		expect(terminal.events.clipboard).toEqual([]);
		// The sign-in asks the service whether it has a page for keys.
		expect(service.strays.filter(asked => asked !== 'GET /local/key-page')).toEqual([]);
		expect(terminal.screen()).not.toContain('key-of-the-hostile-service');
	},
);

test('a list that does not arrive blocks no key, and a newer request replaces it', async () => {
	const held: (() => void)[] = [];
	await using service = await startHostileService({servers: () => calm});
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 110, rows: 30, env: service.env});
	await terminal.until(/asleep +\S offline/);
	service.answer({
		servers: () =>
			new Promise<Answer>(resolve => held.push(() => resolve(success({servers: [serverItem('late')]})))),
	});
	pressAction(terminal, 'global', 'refresh');
	await waitFor(() => expect(held).toHaveLength(1));
	pressAction(terminal, 'servers', 'down');
	await terminal.until(/▸ asleep/);
	service.answer({servers: () => success({servers: [serverItem('newer')]})});
	pressAction(terminal, 'global', 'refresh');
	await terminal.until(/newer +\S ready/);
	for (const release of held) release();
	pressAction(terminal, 'global', 'refresh');
	await terminal.until(/newer +\S ready/);
	expect(terminal.screen()).not.toContain('late');
});

test('an unreadable entry hides no other; an unknown state and missing addresses are shown unchanged', async () => {
	const many = Array.from({length: 49}, (_, index) => serverItem(`job-${index}`));
	const odd = serverItem('odd', {
		status: 'hibernating',
		url: null,
		assistant_editor_url: undefined,
		port_forward_url: null,
		token: undefined,
		thumb: null,
		note: 'kept',
		nested: {deep: [1]},
	});
	await using service = await startHostileService({
		servers: () => success({servers: [odd, ...many, {status: 'broken', port: 'eight'}]}),
	});
	await using home = await newHome();
	await using terminal = await openProgram({home, columns: 130, rows: 30, env: service.env});
	await terminal.until(/Servers 50 .*1 unreadable/);
	// The cursor starts on the current server, which is ready.
	pressAction(terminal, 'servers', 'up');
	const screen = await terminal.until(/▸ odd +\S hibernating/);
	expect(screen).toMatch(/│ \S hibernating[^]*Page +—[^]*Editor +—[^]*Forward +—[^]*Token +none/);
	expect(screen).toMatch(/note +kept[^]*nested +\{"deep":\[1\]\}/);
	pressAction(terminal, 'servers', 'start');
	await terminal.until('╭ Start odd?');
	pressAction(terminal, 'confirm', 'no');
	await terminal.gone('╭ Start odd?');
	pressAction(terminal, 'servers', 'copy');
	await terminal.until('The page of odd: the service reports no such address');
	expect(terminal.events.clipboard).toEqual([]);
});

test(
	'the program notices automatically that a service starts, dies and comes back',
	{tags: 'long'},
	async () => {
		const port = await freePort();
		await using home = await newHome();
		const env = {SVC_BASE_URL: `http://127.0.0.1:${port}`, SVC_API_KEY: 'key-of-the-hostile-service'};
		await using terminal = await openProgram({home, columns: 110, rows: 30, env});
		await terminal.until(/connection refused[^]*Next try in/);
		const use = async (act: (service: HostileService) => Promise<void>): Promise<void> => {
			await using service = await startHostileService({servers: () => calm}, {port});
			await act(service);
		};
		await use(async () => {
			// The list recovers without a key press.
			await terminal.until(/calm +\S ready/);
		});
		pressAction(terminal, 'global', 'refresh');
		await terminal.until(/ old ─[^]*connection[^]*refused[^]*calm +\S ready/);
		await use(async service => {
			service.answer({servers: () => success({servers: [serverItem('calm'), serverItem('fresh')]})});
			await terminal.until(/fresh +\S ready/);
			await terminal.gone(' old ─');
		});
	},
);

test('a response that is not HTTP is reported as such', async () => {
	const server = net.createServer(socket => socket.end('SSH-2.0-OpenSSH_9.6\r\n')).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const {port} = server.address() as net.AddressInfo;
	await using home = await newHome();
	await using terminal = await openProgram({
		home,
		columns: 110,
		rows: 30,
		env: {SVC_BASE_URL: `http://127.0.0.1:${port}`, SVC_API_KEY: 'k'},
	});
	await terminal.until('does not speak HTTP');
	// The program's exit has closed the last connection.
	server.close();
});

test('a host name that is not found is reported as such', async () => {
	await using home = await newHome();
	await using terminal = await openProgram({
		home,
		columns: 110,
		rows: 30,
		env: {SVC_BASE_URL: 'https://nowhere.invalid', SVC_API_KEY: 'k'},
	});
	await terminal.until(/Host nowhere\.invalid not found|Cannot reach nowhere\.invalid/);
});

test(
	'the faults of environments and compute leave their rows as they were, too',
	{tags: 'long'},
	async () => {
		await using service = await startHostileService();
		await using home = await newHome();
		await using terminal = await openProgram({home, columns: 110, rows: 34, env: service.env});
		for (const [screen, row] of [
			['environments', /▸ AI/],
			['compute', /A100/],
		] as const) {
			pressAction(terminal, 'global', screen);
			await terminal.until(row);
			for (const [name, answer, said] of OF_EACH_KIND) {
				service.answer({[screen]: answer});
				pressAction(terminal, 'global', 'refresh');
				const shown = await untilBoth(terminal, `${screen}: ${name}`, said, / old ─/);
				expect(shown, name).toMatch(row);
			}
		}
		expect(terminal.events.clipboard).toEqual([]);
	},
);
