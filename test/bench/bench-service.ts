import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {PROGRAM, type Home} from '../support/program.ts';

/** A running `svc-tui serve` of the built program, and the data that clients need. */
export type BenchService = AsyncDisposable & {
	readonly url: string;
	readonly keyFile: string;
	readonly pid: number;
	/** Time at which the service was started, as `performance.now()`. */
	readonly startedAt: number;
	/** Calls an endpoint below `/api`. @throws {Error} unless the status is 2xx. */
	call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Record<string, unknown>>;
	/**
	 * Creates a server on the smallest machine. Resolves to the time until the list shows it as
	 * ready, in ms.
	 */
	createReady(name: string): Promise<number>;
};

const LOOK_EVERY_MS = 4;

export const startBenchService = async (
	home: Home,
	{
		args = [],
		key,
	}: {
		readonly args?: readonly string[];
		/** API key of another user; without it the service's own key is used. */
		readonly key?: string;
	} = {},
): Promise<BenchService> => {
	const data = join(home.folder, 'bench-data');
	const startedAt = performance.now();
	const child = spawn(PROGRAM, ['serve', '--port', '0', '--data', data, ...args], {
		env: home.env,
		cwd: home.folder,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	let said = '';
	const url = await new Promise<string>((resolve, reject) => {
		child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
			said += chunk;
			const line = /^listening on (http:\/\/\S+)\n/.exec(said);
			if (line) resolve(line[1]!);
		});
		child.once('exit', code => {
			reject(new Error(`svc-tui serve ended with ${code} before it listened`));
		});
	});
	const keyFile = join(data, 'key');
	const apiKey = key ?? (await readFile(keyFile, 'utf8')).trim();
	const call: BenchService['call'] = async (method, path, body) => {
		const answer = await fetch(`${url}/api${path}`, {
			method,
			headers: {apiKey, ...(body !== undefined && {'Content-Type': 'application/json'})},
			...(body !== undefined && {body: JSON.stringify(body)}),
		});
		const text = await answer.text();
		if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
		return JSON.parse(text) as Record<string, unknown>;
	};
	const stateOf = async (name: string): Promise<unknown> => {
		const {servers} = (await call('GET', '/servers')) as {
			readonly servers: readonly {readonly name: string; readonly status: string}[];
		};
		return servers.find(server => server.name === name)?.status;
	};
	return {
		url,
		keyFile,
		pid: child.pid!,
		startedAt,
		call,
		async createReady(name) {
			const from = performance.now();
			await call('POST', '/servers', {
				server_name: name,
				environment: 'ai',
				port: 8888,
				server_request: 'svc-medium',
			});
			for (;;) {
				const state = await stateOf(name);
				if (state === 'ready') return performance.now() - from;
				if (state !== 'starting') throw new Error(`server ${name} is ${String(state)} instead of starting`);
				await delay(LOOK_EVERY_MS);
			}
		},
		async [Symbol.asyncDispose]() {
			if (child.exitCode !== null || child.signalCode !== null) return;
			const exit = once(child, 'exit');
			child.kill('SIGTERM');
			await exit;
		},
	};
};
