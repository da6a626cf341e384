// Draws the screens once and saves the code that V8 compiled for it, so that no first start has to
// compile (app/load-script.ts).
import {chmod, copyFile, mkdtemp, readdir, readFile, rename, rm, stat} from 'node:fs/promises';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {stripVTControlCharacters} from 'node:util';
import {BUILT_CODE, HASH} from '../text/script-code.ts';

const SERVER = {name: 'compiled', status: 'ready', environment: 'python', compute: 'cpu'};
const ANSWERS: Readonly<Record<string, unknown>> = {
	'/api/servers': {success: true, servers: [SERVER]},
	'/api/environments': {success: true, environments: []},
	'/api/compute': {success: true, compute: []},
};
/** The screens are quit once this text is drawn. */
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

/** True if the code file belongs to this script and is newer than the Node that the launcher starts. */
const isCurrent = async (code: string, dist: string): Promise<boolean> => {
	const text = async (file: string): Promise<string> => readFile(file, 'latin1').catch(() => '');
	const time = async (file: string): Promise<number> => (await stat(file).catch(() => null))?.ctimeMs ?? 0;
	const node = join(dist, `../node_modules/node-linux-${process.arch}/package.json`);
	const hash = (await text(join(dist, 'main.cjs'))).slice(HASH.from, HASH.to);
	return (await text(code)).startsWith(hash) && (await time(code)) > (await time(node));
};

/** Never fails the build: if no terminal can be opened, the file is missing and the first start compiles. */
export const makeScreensCode = async (dist: string): Promise<void> => {
	const made = join(dist, BUILT_CODE);
	if (await isCurrent(made, dist)) return;
	await rm(made, {force: true});
	const home = await mkdtemp(join(tmpdir(), 'svc-tui-build-'));
	try {
		using service = await startService();
		await drawOnce(join(dist, 'svc-tui'), home, service.url);
		const kept = join(home, '.cache/svc-tui/compiled');
		const name = (await readdir(kept, {recursive: true})).find(each => each.endsWith('screens.code'));
		if (name === undefined) throw new Error('the screens were drawn, and kept no code');
		// Written under another name first: V8 does not check the code, so the file must be complete.
		await copyFile(join(kept, name), `${made}.new`);
		// Other users than the one who built it may run the program.
		await chmod(`${made}.new`, 0o644);
		await rename(`${made}.new`, made);
	} catch (error) {
		console.error(`No code of the screens was made, so the first start is slower: ${String(error)}`);
	} finally {
		await rm(home, {recursive: true, force: true});
	}
};
