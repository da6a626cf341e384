// @module-tag long
// A third-party service whose servers have addresses without Jupyter. Everything that the API
// covers works. Functions that need a server's own API explain why they are missing.
import {describe, expect, test} from 'vitest';
import {serverItem, startHostileService, success} from '../faults/hostile-service.ts';
import {answering, httpPeer, rawPeer, type Peer} from '../support/peer.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import {runHere} from '../support/run-here.ts';
import type {Terminal} from '../support/terminal.ts';
import {openRepl, runCode} from './steps.ts';

const TOKEN = 'token-of-the-server-0815';
const LOOKED = 'GET /user/u/calm/api/status';

type Place = AsyncDisposable & {
	/** The server's address, as the service reports it. */
	readonly url: string;
	readonly asked: readonly string[];
	/** Tokens that were sent to places where none may be sent. */
	readonly strayed: readonly string[];
};
const at = (peer: Peer, strayed: readonly string[] = []): Place => ({
	url: `${peer.url}/user/u/calm/?token=${TOKEN}`,
	asked: peer.asked,
	strayed,
	[Symbol.asyncDispose]: () => peer[Symbol.asyncDispose](),
});
/** A login page on a separate origin. It records the requests. */
const loginPage = async (): Promise<Place> => {
	const strayed: string[] = [];
	const login = await httpPeer((response, {method, url, headers}) => {
		strayed.push(`${method} ${url} ${String(headers.authorization)}`);
		response.writeHead(200, {'content-type': 'text/html'}).end('<html>Sign in</html>');
	});
	const peer = await answering(302, '', {location: `${login.url}/login?next=/user/u/calm/`});
	return {
		...at(peer, strayed),
		async [Symbol.asyncDispose]() {
			await peer[Symbol.asyncDispose]();
			await login[Symbol.asyncDispose]();
		},
	};
};
const nobody: Place = {
	url: `http://127.0.0.1:9/user/u/calm/?token=${TOKEN}`,
	asked: [],
	strayed: [],
	async [Symbol.asyncDispose]() {},
};

/** Addresses without Jupyter, each with the expected explanation. */
const PLACES: readonly (readonly [string, () => Promise<Place>, string])[] = [
	['nothing listens', async () => nobody, 'its address does not respond'],
	['an address that hangs', async () => at(await rawPeer(() => {})), 'its address does not respond'],
	['404', async () => at(await answering(404, 'no')), 'its address is not a Jupyter server'],
	['a login page', loginPage, 'its address redirects, as to a login page'],
	[
		'another program',
		async () => at(await answering(200, '{"status":"ok","version":"1.2.3"}')),
		'its address is not a Jupyter server',
	],
];

const serviceWith = async (place: Place) =>
	startHostileService({
		servers: () => success({servers: [serverItem('calm', {url: place.url, token: TOKEN})]}),
	});
const cellsOf = ({asked}: {readonly asked: readonly string[]}): readonly string[] =>
	asked.filter(line => line.endsWith('/run-code'));

/** Waits until words are on the screen, even if they are wrapped. */
const untilSaid = async (terminal: Terminal, words: string): Promise<string> =>
	terminal.untilTrue(words, () => terminal.screen().replaceAll(/\s+/g, ' ').includes(words));
const command = async (terminal: Terminal, line: string): Promise<void> => {
	pressAction(terminal, 'anywhere', 'commandLine');
	await terminal.until('Command');
	terminal.type(line);
	await terminal.until(`: ${line}`);
	terminal.press('enter');
};

describe.each(PLACES)('%s at the address of a server', (name, open, says) => {
	test(
		'the screens report it: cells run through the service, and functions that need the address give the reason',
		name === 'a login page' ? {tags: 'short'} : {},
		async () => {
			await using place = await open();
			await using service = await serviceWith(place);
			await using home = await newHome();
			await using terminal = await openProgram({home, columns: 90, rows: 34, env: service.env});
			let sent = '';
			terminal.onOutput(chunk => {
				sent += chunk;
			});
			await terminal.until(/calm +. ready/);
			await openRepl(terminal);
			runCode(terminal, 'print(6 * 7)');
			await terminal.until(/^ +printed$/m);
			await terminal.until(/REPL · calm · Python · output comes at the end ─+ 1 cell ─$/m);
			expect(cellsOf(service)).toEqual(['POST /api/servers/calm/run-code']);
			await command(terminal, 'live');
			await untilSaid(terminal, `Output arrives when the cell ends: ${says}`);
			for (const [line, said] of [
				['shell', 'Cannot open a shell on calm'],
				['kernels', 'The kernels of calm cannot be listed'],
				['restart', 'No restart on calm'],
			] as const) {
				await command(terminal, line);
				await untilSaid(terminal, `${said}: ${says}`);
			}
			pressAction(terminal, 'anywhere', 'files');
			await terminal.until(/^▸ +plain\.txt/m);
			for (const [action, said] of [
				['move', 'No rename on calm'],
				['remove', 'No delete on calm'],
				['makeFolder', 'No empty folders on calm'],
			] as const) {
				pressAction(terminal, 'tree', action);
				await untilSaid(terminal, `${said}: ${says}`);
			}
			pressAction(terminal, 'anywhere', 'repl');
			runCode(terminal, 'print("again")');
			await terminal.until(/print\("again"\)[^]*^ +printed$/m);
			expect(cellsOf(service)).toHaveLength(2);
			expect(new Set(place.asked)).toEqual(new Set(place.asked.length > 0 ? [LOOKED] : []));
			expect(place.strayed).toEqual([]);
			expect(service.strays).toEqual([]);
			expect(sent).not.toContain(TOKEN);
		},
	);

	test('commands run code through the service, once, and give the reason why files are not changed', async () => {
		await using place = await open();
		await using service = await serviceWith(place);
		await using home = await newHome();
		const run = async (...args: readonly string[]) => runHere(args, {home, env: service.env});
		expect(await run('run', 'calm', '-c', 'print(6 * 7)')).toMatchObject({
			code: 0,
			stdout: 'printed\n',
			stderr: '',
		});
		expect(cellsOf(service)).toHaveLength(1);
		const moved = await run('files', 'mv', 'calm', 'plain.txt', 'other.txt');
		expect(moved).toMatchObject({code: expect.any(Number) as number, stdout: ''});
		expect(moved.code).not.toBe(0);
		expect(moved.stderr).toContain("does not support renaming, and the server's own address cannot be used");
		expect(moved.stderr).toContain(says);
		expect(moved.stderr).not.toContain(TOKEN);
		expect(cellsOf(service)).toHaveLength(1);
		expect(new Set(place.asked)).toEqual(new Set(place.asked.length > 0 ? [LOOKED] : []));
		expect(place.strayed).toEqual([]);
		expect(service.strays).toEqual([]);
	});
});
