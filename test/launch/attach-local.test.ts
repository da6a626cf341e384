import {spawn, type ChildProcess} from 'node:child_process';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {attachLocal, type Attached} from '../../src/launch/attach-local.ts';
import {SetupError} from '../../src/settings/setup-error.ts';
import {isFolderInUse} from '../../src/settings/instance-lock.ts';
import {readInstance} from '../../src/settings/instance.ts';
import {serverFolder} from '../support/folders.ts';
import {isAlive, serveProcess} from '../support/serve-process.ts';
import {serveProgram} from '../support/serve-program.ts';
import {processesUsing, untilNoProcessUses} from '../support/processes.ts';
import {tempFolder} from '../support/temp-folder.ts';
import {waitFor} from '../support/wait-for.ts';

const program = serveProgram;

/** A data folder. Its service, if there is one, ends with the scope. */
const serviceFolder = (): AsyncDisposable & {readonly path: string; pid(): number} => {
	const temp = tempFolder();
	const pids = new Set<number>();
	const pid = (): number => {
		const found = readInstance(temp.path)?.pid ?? 0;
		if (found > 0) pids.add(found);
		return found;
	};
	return {
		path: temp.path,
		pid,
		async [Symbol.asyncDispose]() {
			pid();
			for (const each of pids) if (isAlive(each)) process.kill(each, 'SIGKILL');
			await waitFor(() => expect(isFolderInUse(temp.path)).toBe(false));
			temp[Symbol.dispose]();
		},
	};
};

const answers = async ({baseUrl, apiKey}: Attached): Promise<number> =>
	(await fetch(`${baseUrl}/api/servers`, {headers: {apiKey}})).status;

const failure = async (promise: Promise<unknown>): Promise<SetupError> => {
	const error = await promise.then(
		() => undefined,
		(reason: unknown) => reason,
	);
	if (!(error instanceof SetupError)) throw new Error(`not refused as expected: ${String(error)}`);
	return error;
};

const gone = (pid: number): Promise<void> => waitFor(() => expect(isAlive(pid)).toBe(false));

test('without a service a program starts one, which ends on release and removes its instance file', async () => {
	await using folder = serviceFolder();
	let ends = 0;
	const attached = await attachLocal({dataFolder: folder.path, program, onEnd: () => ends++});
	expect(attached.started).toBe(true);
	expect(await answers(attached)).toBe(200);
	const pid = folder.pid();
	expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain(attached.apiKey);
	attached.release();
	await attached.ended;
	await gone(pid);
	expect(readInstance(folder.path)).toBeNull();
	expect(ends).toBe(0);
});

test(
	'two programs that start at once share one service, which runs until the second releases it',
	{tags: 'long'},
	async () => {
		await using folder = serviceFolder();
		const both = await Promise.all([
			attachLocal({dataFolder: folder.path, program}),
			attachLocal({dataFolder: folder.path, program}),
		]);
		const pid = folder.pid();
		expect(both[0].baseUrl).toBe(both[1].baseUrl);
		expect(both.filter(({started}) => started)).toHaveLength(1);
		both[0].release();
		await both[0].ended;
		expect(await answers(both[1])).toBe(200);
		both[1].release();
		await gone(pid);
	},
);

test(
	'a program that releases the service and one that arrives a moment later use the same service',
	{tags: 'long'},
	async () => {
		await using folder = serviceFolder();
		const first = await attachLocal({dataFolder: folder.path, program});
		const pid = folder.pid();
		first.release();
		const second = await attachLocal({dataFolder: folder.path, program});
		expect([second.started, folder.pid()]).toEqual([false, pid]);
		second.release();
		await gone(pid);
	},
);

test('a program that arrives while the service ends gets a new one', {tags: 'long'}, async () => {
	await using folder = serviceFolder();
	const first = await attachLocal({dataFolder: folder.path, program});
	const pid = folder.pid();
	process.kill(pid, 'SIGTERM');
	// The service now accepts no clients, but it may still hold the lock of the folder.
	await waitFor(() => expect(readInstance(folder.path)).toBeNull(), {interval: 1});
	const second = await attachLocal({dataFolder: folder.path, program});
	expect(second.started).toBe(true);
	expect(folder.pid()).not.toBe(pid);
	expect(await answers(second)).toBe(200);
	await first.ended;
	second.release();
	await gone(folder.pid());
});

test(
	'when the service dies its holder is notified, and starting again works despite its leftovers',
	{tags: 'long'},
	async () => {
		await using folder = serviceFolder();
		let ends = 0;
		const first = await attachLocal({dataFolder: folder.path, program, onEnd: () => ends++});
		const pid = folder.pid();
		process.kill(pid, 'SIGKILL');
		await first.ended;
		expect(ends).toBe(1);
		expect(readInstance(folder.path)?.pid).toBe(pid);
		const second = await attachLocal({dataFolder: folder.path, program});
		expect(second.started).toBe(true);
		expect(await answers(second)).toBe(200);
		second.release();
		await gone(folder.pid());
	},
);

/**
 * Listens at the port in the instance file of a service that has ended, and records the keys it
 * receives.
 */
const strangerAt = async (folder: {readonly path: string}, pid: number | undefined) => {
	const asked: string[] = [];
	const stranger = createServer((request, response) => {
		asked.push(String(request.headers['apikey']));
		response.end();
	});
	await new Promise<void>(resolve => {
		stranger.listen(0, '127.0.0.1', resolve);
	});
	const address = stranger.address();
	const port = typeof address === 'object' && address ? address.port : 0;
	writeFileSync(join(folder.path, 'key'), 'canary-key', {mode: 0o600});
	writeFileSync(
		join(folder.path, 'instance.json'),
		JSON.stringify({
			pid,
			port,
			url: `http://127.0.0.1:${port}`,
			startedAt: '',
			keyFrom: 'file',
			leased: true,
		}),
	);
	return {asked, close: () => stranger.close()};
};

test(
	'a stale instance file never sends the key to the program that has its port now',
	{tags: 'long'},
	async () => {
		await using folder = serviceFolder();
		// Another process has the id of the ended service.
		const other = spawn('sleep', ['60']);
		const {asked, close} = await strangerAt(folder, other.pid);
		const attached = await attachLocal({dataFolder: folder.path, program});
		expect([attached.started, attached.apiKey, asked]).toEqual([true, 'canary-key', []]);
		folder.pid();
		attached.release();
		expect(other.exitCode ?? other.signalCode).toBeNull();
		other.kill();
		close();
		await gone(folder.pid());
	},
);

test(
	'nor does it while the next service has the folder and has not yet removed that file',
	{tags: 'long'},
	async () => {
		await using folder = serviceFolder();
		const other = spawn('sleep', ['60']);
		const {asked, close} = await strangerAt(folder, other.pid);
		const lock = JSON.stringify(join(folder.path, 'instance.lock'));
		const slow = join(folder.path, 'slow.cjs');
		writeFileSync(
			slow,
			// Waits for the lock: the parent also holds it for a moment to check whether it is
			// free.
			`const lock = new (require('node:sqlite').DatabaseSync)(${lock}, {timeout: 1000}); lock.exec('begin exclusive'); setTimeout(() => lock.close(), 3000);`,
		);
		await expect(
			attachLocal({dataFolder: folder.path, program: [process.execPath, slow], timeout: 1500}),
		).rejects.toThrow('did not respond');
		expect(asked).toEqual([]);
		other.kill();
		close();
	},
);

test('a service started by hand is used, and continues after its last user', {tags: 'long'}, async () => {
	await using folder = serviceFolder();
	await using serve = serveProcess(folder.path);
	await serve.url();
	const attached = await attachLocal({dataFolder: folder.path, program});
	expect(attached.started).toBe(false);
	attached.release();
	await attached.ended;
	const again = await attachLocal({dataFolder: folder.path, program});
	expect([again.started, again.baseUrl]).toEqual([false, await serve.url()]);
	again.release();
});

test(
	'a service with a key of its environment is not found, and the message tells how to use it',
	{tags: 'long'},
	async () => {
		await using folder = serviceFolder();
		await using serve = serveProcess(folder.path, {env: {TEST_SERVICE_KEY: 'canary-key'}});
		const url = await serve.url();
		const error = await failure(attachLocal({dataFolder: folder.path, program}));
		expect(error.code).toBe('config');
		expect(error.message).toContain(`SVC_BASE_URL=${url} and SVC_API_KEY`);
		expect(error.message).not.toContain('canary-key');
	},
);

test('a service that cannot start is reported with its own sentence', {tags: 'long'}, async () => {
	await using folder = serviceFolder();
	writeFileSync(join(folder.path, 'key'), 'two words', {mode: 0o600});
	const error = await failure(attachLocal({dataFolder: folder.path, program}));
	expect(error).toMatchObject({code: 'config', message: expect.stringContaining('has no usable key')});
});

test('a killed program releases its lease: the service ends with the last one', {tags: 'long'}, async () => {
	await using folder = serviceFolder();
	const holder = fileURLToPath(new URL('../support/hold-lease.ts', import.meta.url));
	const hold = async (): Promise<ChildProcess> => {
		const child = spawn(process.execPath, [holder, folder.path], {stdio: ['ignore', 'pipe', 'inherit']});
		await new Promise(resolve => {
			child.stdout.once('data', resolve);
		});
		return child;
	};
	const [first, second] = [await hold(), await hold()];
	const pid = folder.pid();
	first.kill('SIGKILL');
	await new Promise(resolve => {
		first.once('exit', resolve);
	});
	const third = await attachLocal({dataFolder: folder.path, program});
	expect([third.started, isAlive(pid)]).toEqual([false, true]);
	third.release();
	second.kill('SIGKILL');
	await gone(pid);
});

test(
	'a program killed during endless code ends the service and its Python with it, and the files are unchanged',
	{tags: 'long'},
	async () => {
		await using folder = serviceFolder();
		const [holder, boot] = ['../support/hold-lease.ts', '../../src/app/boot.ts'].map(file =>
			fileURLToPath(new URL(file, import.meta.url)),
		);
		const child = spawn(process.execPath, [holder ?? '', folder.path, boot ?? ''], {
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		const url = await new Promise<string>(resolve => {
			child.stdout.once('data', line => resolve(String(line).trim()));
		});
		folder.pid();
		const headers = {
			apiKey: readFileSync(join(folder.path, 'key'), 'utf8'),
			'content-type': 'application/json',
		};
		const call = (method: string, path: string, body: object): Promise<Response> =>
			fetch(`${url}/api/servers${path}`, {method, headers, body: JSON.stringify(body)});
		await call('POST', '/welcome/start', {environment: 'ai', port: 8888, server_request: 'svc-medium'});
		await waitFor(
			async () =>
				expect(await (await fetch(`${url}/api/servers`, {headers})).text()).toContain('"status":"ready"'),
			{interval: 50},
		);
		await call('PUT', '/welcome/files/kept.txt', {type: 'file', format: 'text', content: 'kept'});
		const run = call('POST', '/welcome/run-code', {
			code: 'open("begun", "w").close()\nwhile True: pass',
			kernel_name: 'python3',
		}).then(
			async answer => ((await answer.text()).includes('KernelClosed') ? 'stopped' : 'answered'),
			() => 'cut off',
		);
		const root = serverFolder(folder.path);
		await waitFor(() => expect(existsSync(join(root, 'begun'))).toBe(true));
		expect((await processesUsing(folder.path)).length).toBe(3);
		child.kill('SIGKILL');
		await untilNoProcessUses(folder.path);
		// The response may arrive before or after the connection is closed.
		expect(['stopped', 'cut off']).toContain(await run);
		expect(readFileSync(join(root, 'kept.txt'), 'utf8')).toBe('kept');
		expect([readInstance(folder.path), isFolderInUse(folder.path)]).toEqual([null, false]);
	},
);

test('an auto-started service without users ends', async () => {
	await using folder = serviceFolder();
	const {startService} = await import('../../src/service/serve.ts');
	const service = await startService({
		port: 0,
		leased: true,
		dataFolder: folder.path,
		leases: {first: 50, last: 50},
	});
	await service.closed;
	expect(isFolderInUse(folder.path)).toBe(false);
});
