import {spawn, type ChildProcess} from 'node:child_process';
import {randomBytes} from 'node:crypto';
import {mkdtempSync, openSync, readFileSync, rmSync} from 'node:fs';
import {createServer, type AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {findProgram} from '../../src/engines/jupyter/installation.ts';
import {INSTALL_MS, installPackages} from './install-packages.ts';
import {processesUsing, untilNoProcessUses} from './processes.ts';

const FOLDER = join(import.meta.dirname, '../engines/jupyterhub');
const PROXY_FOLDER = join(FOLDER, 'proxy');
const PROXY = join(PROXY_FOLDER, 'node_modules/configurable-http-proxy/bin/configurable-http-proxy');
const START_MS = 60_000;

/** Time limit for a test file's hub to respond, in ms. */
export const HUB_START_MS = INSTALL_MS + 2 * START_MS;

/** Reason why a hub cannot run on this machine, or null. */
export const hubMissing = ['jupyterhub', 'jupyterhub-singleuser', 'jupyter-server'].every(
	name => findProgram(name, process.env) !== undefined,
)
	? null
	: 'jupyterhub, jupyter-server and ipykernel are not installed (Debian: apt-get install jupyterhub jupyter-server python3-ipykernel python3-numpy python3-matplotlib)';

type HubToken = {readonly id: string; readonly note: string; readonly scopes: readonly string[]};

export type TestHub = AsyncDisposable & {
	readonly url: string;
	readonly folder: string;
	/**
	 * Creates a token for a user, as the hub's page does, optionally restricted to these scopes.
	 */
	tokenOf(user: string, scopes?: readonly string[]): Promise<string>;
	/** Valid tokens of a user. */
	tokensOf(user: string): Promise<readonly HubToken[]>;
	/** Ends the hub's process, but not its servers or its proxy. */
	stopHub(): Promise<void>;
	startHub(): Promise<void>;
	/** Process ids of a user's running server. */
	processesOf(user: string, server: string): Promise<readonly number[]>;
};

const freePorts = async (count: number): Promise<readonly number[]> => {
	const servers = Array.from({length: count}, () => createServer());
	await Promise.all(
		servers.map(
			server =>
				new Promise<void>(resolve => {
					server.listen(0, '127.0.0.1', resolve);
				}),
		),
	);
	const ports = servers.map(server => (server.address() as AddressInfo).port);
	await Promise.all(
		servers.map(
			server =>
				new Promise(resolve => {
					server.close(resolve);
				}),
		),
	);
	return ports;
};

/** Not vitest's `waitFor`, because benches run without vitest. */
const until = async (isSo: () => boolean | Promise<boolean>, what: string): Promise<void> => {
	const deadline = Date.now() + START_MS;
	while (!(await isSo())) {
		if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
		await delay(100);
	}
};

/**
 * Starts Debian's JupyterHub with a proxy from npm. Its servers are local processes below a
 * separate folder.
 */
export const startHub = async (environment: NodeJS.ProcessEnv = {}): Promise<TestHub> => {
	await installPackages(PROXY_FOLDER);
	const folder = mkdtempSync(join(tmpdir(), 'svc-tui-hub-'));
	const ports = await freePorts(3);
	const url = `http://127.0.0.1:${ports[0]}`;
	const admin = randomBytes(16).toString('hex');
	const logFile = join(folder, 'hub.log');
	const env = {
		...process.env,
		...environment,
		HOME: folder,
		SVC_TEST_HUB: folder,
		SVC_TEST_HUB_PORTS: ports.join(),
		SVC_TEST_HUB_TOKEN: admin,
		SVC_TEST_NODE: process.execPath,
		SVC_TEST_PROXY: PROXY,
		CONFIGPROXY_AUTH_TOKEN: randomBytes(16).toString('hex'),
		NODE_OPTIONS: '',
	};
	let child: ChildProcess = spawn('true');
	const exited = (): boolean => child.exitCode !== null || child.signalCode !== null;
	const start = async (): Promise<void> => {
		const log = openSync(logFile, 'a');
		child = spawn('jupyterhub', ['-f', join(FOLDER, 'jupyterhub_config.py')], {
			cwd: folder,
			env,
			stdio: ['ignore', log, log],
			detached: true,
		});
		await until(async () => {
			if (exited()) throw new Error(readFileSync(logFile, 'utf8').slice(-2000));
			return fetch(`${url}/hub/api/`).then(
				({status}) => status === 200,
				() => false,
			);
		}, 'the hub to answer');
	};
	const ask = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
		const answer = await fetch(`${url}/hub/api/${path}`, {
			method,
			headers: {authorization: `token ${admin}`},
			...(body && {body: JSON.stringify(body)}),
		});
		return (await answer.json()) as Record<string, unknown>;
	};
	await start();
	return {
		url,
		folder,
		async tokensOf(user) {
			const {api_tokens: found} = await ask('GET', `users/${encodeURIComponent(user)}/tokens`);
			return found as readonly HubToken[];
		},
		async tokenOf(user, scopes) {
			await ask('POST', `users/${encodeURIComponent(user)}`);
			return String(
				(
					await ask('POST', `users/${encodeURIComponent(user)}/tokens`, {
						note: 'svc-tui',
						...(scopes && {scopes}),
					})
				)['token'],
			);
		},
		async stopHub() {
			child.kill('SIGKILL');
			await until(exited, 'the hub to end');
		},
		startHub: start,
		async processesOf(user, server) {
			const own = [`JUPYTERHUB_USER=${user}`, `JUPYTERHUB_SERVER_NAME=${server}`];
			return (await processesUsing(folder))
				.filter(({command, environment}) => {
					const variables = environment.split('\0');
					return command.includes('singleuser') && own.every(variable => variables.includes(variable));
				})
				.map(({pid}) => pid);
		},
		async [Symbol.asyncDispose]() {
			for (const {pid} of await processesUsing(folder)) {
				try {
					process.kill(pid, 'SIGKILL');
				} catch {
					// The process has ended in the meantime.
				}
			}
			await untilNoProcessUses(folder);
			rmSync(folder, {recursive: true, force: true});
		},
	};
};
