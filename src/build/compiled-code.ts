// Draws the screens once, runs commands once, and saves the code that V8 compiled for this. Then
// the first start on a machine need not compile (app/load-script.ts).
import {execFile} from 'node:child_process';
import {existsSync} from 'node:fs';
import {chmod, copyFile, mkdtemp, readdir, readFile, rename, rm, stat} from 'node:fs/promises';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify, stripVTControlCharacters} from 'node:util';
import {builtCode, HASH, type ScriptName} from '../text/script-code.ts';

const SERVER = {name: 'compiled', status: 'ready', environment: 'python', compute: 'cpu'};
const ANSWERS: Readonly<Record<string, unknown>> = {
	'/api/servers': {success: true, servers: [SERVER]},
	'/api/environments': {success: true, environments: []},
	'/api/compute': {success: true, compute: []},
};
/** Text that appears last. The screens quit once it is drawn. */
const LAST = SERVER.name;
const GIVEN_UP_AFTER_MS = 20_000;

const startService = async () => {
	const service = createServer(({url = ''}, response) => {
		const answer = ANSWERS[url];
		response.writeHead(answer === undefined ? 404 : 200, {'content-type': 'application/json'});
		response.end(JSON.stringify(answer ?? {error: 'not here'}));
	});
	await new Promise<void>(resolve => service.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
		[Symbol.dispose]: () => {
			service.closeAllConnections();
			service.close();
		},
	};
};

/** Starts the screens in a new terminal, and quits once they are drawn. */
const drawOnce = async (program: string, home: string, url: string): Promise<void> => {
	const {spawn} = await import('@lydell/node-pty');
	const terminal = spawn(program, [], {
		cols: 120,
		rows: 40,
		cwd: home,
		env: {
			PATH: process.env['PATH'] ?? '',
			HOME: home,
			TERM: 'xterm-256color',
			LANG: 'C.UTF-8',
			SVC_BASE_URL: url,
			SVC_API_KEY: 'none',
		},
	});
	await new Promise<void>((resolve, reject) => {
		const timer = setTimeout(() => {
			terminal.kill('SIGKILL');
			reject(new Error(`the screens were not drawn within ${GIVEN_UP_AFTER_MS / 1000} seconds`));
		}, GIVEN_UP_AFTER_MS);
		let drawn = '';
		let isLeft = false;
		terminal.onData(chunk => {
			drawn += stripVTControlCharacters(chunk);
			if (isLeft || !drawn.includes(LAST)) return;
			isLeft = true;
			terminal.write('\u0003\u0003');
		});
		terminal.onExit(() => {
			clearTimeout(timer);
			resolve();
		});
	});
};

/** Folder of the Node that the launcher starts, if npm installed one. */
const ownNode = (dist: string): string => join(dist, `../node_modules/node-linux-${process.arch}`);

/**
 * Runs commands without the launcher's flags. V8 accepts the code all the same, because the flags
 * do not affect it.
 */
const runCommandsOnce = async (dist: string, home: string, kept: string): Promise<void> => {
	const own = join(ownNode(dist), 'bin/node');
	const running = promisify(execFile)(
		existsSync(own) ? own : process.execPath,
		[join(import.meta.dirname, 'compile-commands.ts'), dist, kept],
		{cwd: home, env: {PATH: process.env['PATH'], HOME: home, LANG: 'C.UTF-8'}, timeout: GIVEN_UP_AFTER_MS},
	);
	running.child.stdin?.end();
	await running;
};

/**
 * True if the code file belongs to this script and is newer than the Node that the launcher starts.
 */
const isCurrent = async (name: ScriptName, dist: string): Promise<boolean> => {
	const text = async (file: string): Promise<string> => readFile(file, 'latin1').catch(() => '');
	const time = async (file: string): Promise<number> => (await stat(file).catch(() => null))?.ctimeMs ?? 0;
	const code = join(dist, builtCode(name));
	const hash = (await text(join(dist, `${name}.cjs`))).slice(HASH.from, HASH.to);
	return (
		(await text(code)).startsWith(hash) &&
		(await time(code)) > (await time(join(ownNode(dist), 'package.json')))
	);
};

/**
 * Creates code files. `run` runs the program, which saves the code of these scripts below `kept`.
 * An error does not fail the build: without the files, the first start compiles.
 */
const makeCode = async (
	names: readonly ScriptName[],
	dist: string,
	run: (home: string, kept: string) => Promise<void>,
): Promise<void> => {
	if ((await Promise.all(names.map(name => isCurrent(name, dist)))).every(Boolean)) return;
	for (const name of names) await rm(join(dist, builtCode(name)), {force: true});
	const home = await mkdtemp(join(tmpdir(), 'svc-tui-build-'));
	try {
		const kept = join(home, '.cache/svc-tui/compiled');
		await run(home, kept);
		const files = await readdir(kept, {recursive: true});
		for (const name of names) {
			const file = files.find(each => each.endsWith(`${name}.code`));
			if (file === undefined) throw new Error('the program ran, but saved no compiled code');
			const made = join(dist, builtCode(name));
			// Written under another name first: V8 does not check the code, so the file must be
			// complete.
			await copyFile(join(kept, file), `${made}.new`);
			// Readable by all, because other users than the builder may run the program.
			await chmod(`${made}.new`, 0o644);
			await rename(`${made}.new`, made);
		}
	} catch (error) {
		console.error(
			`No compiled code of ${names.join(' and ')}, so the first start is slower: ${String(error)}`,
		);
	} finally {
		await rm(home, {recursive: true, force: true});
	}
};

export const makeScreensCode = async (dist: string): Promise<void> =>
	makeCode(['screens'], dist, async home => {
		using service = await startService();
		await drawOnce(join(dist, 'svc-tui'), home, service.url);
	});

export const makeCommandsCode = async (dist: string): Promise<void> =>
	makeCode(['commands', 'service'], dist, async (home, kept) => runCommandsOnce(dist, home, kept));
