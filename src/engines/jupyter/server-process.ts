import {spawn} from 'node:child_process';
import {copyFile, cp, mkdir, readdir, readFile, rm, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import * as z from 'zod';
import {jsonIn} from '../../text/record.ts';
import type {SessionOptions} from '../engine.ts';
import {pythonOf} from './installed.ts';
import {lowerPriorityOf} from '../../machine/lower-priority.ts';
import {callJupyter, type JupyterAddress} from './rest.ts';

const START_LIMIT_MS = 60_000;
const LOOK_EVERY_MS = 10;
const DIAGNOSIS_LENGTH = 2000;
/** Time in which the server must end its kernels and itself before it is killed, in ms. */
const END_LIMIT_MS = 2500;

const CONFIG = fileURLToPath(new URL('./server_config.py', import.meta.url));
const CHANNELS = fileURLToPath(new URL('./kept-channels/', import.meta.url));
const LOAD = fileURLToPath(new URL('./server_load.py', import.meta.url));
const LAUNCHER = fileURLToPath(new URL('./launch_server.py', import.meta.url));

export type ServerOptions = SessionOptions['compute'] & {
	readonly executable: string;
	/** Absolute path. The folder is emptied at the start and used only by this server. */
	readonly privateFolder: string;
	readonly root: string;
	/** Starts and ends with a slash. */
	readonly basePath: string;
	/** Preferred port. If it is in use, the server tries other ports. */
	readonly port: number;
	readonly token: string;
	/** Port for programs that run on the server. Set for them as PORT. */
	readonly programPort: number;
	/** Python of the kernel `python3`, if not the installed kernel's own. */
	readonly python?: string | undefined;
	/** True if other users share the machine. The server then runs with a lower priority. */
	readonly isShared?: boolean | undefined;
	readonly environment: NodeJS.ProcessEnv;
};

/** End of the server. `isOrdered`: true if a client requested the shutdown. */
export type ServerEnd = {readonly reason: string; readonly isOrdered: boolean};

const infoFile = z.object({port: z.int()});

/**
 * Port from a file that the server writes once it listens. Only then is it safe to send the token,
 * since another program may have used the port before. Null if there is no such file.
 */
const readPort = async (runtime: string): Promise<number | null> => {
	const file = (await readdir(runtime)).find(name => /^jpserver-\d+\.json$/.test(name));
	if (file === undefined) return null;
	// Undefined while the server is still writing the file.
	return infoFile.safeParse(jsonIn(await readFile(join(runtime, file), 'utf8'))).data?.port ?? null;
};

const prepareFolder = async (options: ServerOptions): Promise<void> => {
	const {privateFolder, root, basePath, port, token, cpus, memory, python} = options;
	await rm(privateFolder, {recursive: true, force: true});
	for (const name of ['runtime', 'ipython', 'config'])
		await mkdir(join(privateFolder, name), {recursive: true, mode: 0o700});
	await copyFile(CONFIG, join(privateFolder, 'config/jupyter_server_config.py'));
	await cp(CHANNELS, join(privateFolder, 'config/kept-channels'), {recursive: true});
	await copyFile(LOAD, join(privateFolder, 'config/server_load.py'));
	await writeFile(
		join(privateFolder, 'config/settings.json'),
		JSON.stringify({port, base_url: basePath, root, token, cpus, memory}),
		{mode: 0o600},
	);
	if (python === undefined) return;
	const kernel = join(privateFolder, 'data/kernels/python3');
	await mkdir(kernel, {recursive: true});
	await writeFile(
		join(kernel, 'kernel.json'),
		JSON.stringify({
			argv: [python, '-m', 'ipykernel_launcher', '-f', '{connection_file}'],
			display_name: 'Python 3',
			language: 'python',
			// Makes `!pip` and `!python` use this Python too. Jupyter replaces ${PATH}.
			env: {PATH: `${dirname(python)}:\${PATH}`},
		}),
	);
};

/**
 * Command line of the server. The launcher needs the server's Python, so it is used only if the
 * first line of the program names it.
 */
const commandOf = (executable: string): readonly [file: string, ...args: string[]] => {
	const python = pythonOf(executable);
	return python === null ? [executable] : [python, LAUNCHER, executable];
};

/** Starts a Jupyter Server and resolves once it responds. @throws {Error} with the reason. */
export const startJupyterServer = async (options: ServerOptions) => {
	const {executable, privateFolder, root, basePath, token, programPort, gpus, environment} = options;
	const [file, ...args] = commandOf(executable);
	await prepareFolder(options);
	// The machine's configuration may end idle kernels, but must not end kernels whose code is
	// running.
	const fixed = ['--no-browser', '--MappingKernelManager.cull_busy=False'];
	const child = spawn(file, [...args, ...fixed], {
		cwd: root,
		env: {
			...environment,
			JUPYTER_CONFIG_DIR: join(privateFolder, 'config'),
			JUPYTER_RUNTIME_DIR: join(privateFolder, 'runtime'),
			PORT: String(programPort),
			IPYTHONDIR: join(privateFolder, 'ipython'),
			JUPYTER_PATH: [join(privateFolder, 'data'), environment['JUPYTER_PATH'] ?? '']
				.filter(Boolean)
				.join(':'),
			...(gpus === 0 && {CUDA_VISIBLE_DEVICES: ''}),
		},
		// Standard input is a pipe: when it ends, the server detects that the service is gone.
		stdio: ['pipe', 'ignore', 'pipe'],
		// A separate process group does not receive the terminal's Ctrl-C and Ctrl-Z.
		detached: true,
	});
	if (options.isShared === true) lowerPriorityOf(child.pid);
	const exited = Promise.withResolvers<ServerEnd>();
	let diagnosis = '';
	let isOver = false;
	child.stdin.on('error', () => undefined);
	child.stderr.on('data', (chunk: Buffer) => {
		diagnosis = (diagnosis + chunk.toString()).slice(-DIAGNOSIS_LENGTH);
	});
	const end = (reason: string, isOrdered = false): void => {
		isOver = true;
		exited.resolve({reason, isOrdered});
	};
	child.on('error', error => end(error.message));
	child.on('close', (code, signal) =>
		end(signal === null ? `exit code ${code}` : `signal ${signal}`, code === 0),
	);

	/** Ends the server and its kernels. Never rejects. */
	const close = async (): Promise<void> => {
		child.stdin.end();
		const kill = setTimeout(() => child.kill('SIGKILL'), END_LIMIT_MS);
		await exited.promise;
		clearTimeout(kill);
		await rm(privateFolder, {recursive: true, force: true}).catch(() => undefined);
	};
	/**
	 * Path of the user interface to which the first page redirects. Null if no user interface is
	 * installed.
	 */
	const pageOf = async ({url}: JupyterAddress): Promise<string | null> => {
		const response = await fetch(url, {headers: {authorization: `token ${token}`}, redirect: 'manual'});
		await response.arrayBuffer();
		return /\/(lab|tree)(?:[/?]|$)/.exec(response.headers.get('location') ?? '')?.[1] ?? null;
	};
	const untilReady = async () => {
		const deadline = Date.now() + START_LIMIT_MS;
		for (;;) {
			if (isOver)
				throw new Error(
					`Jupyter Server ended (${(await exited.promise).reason}): ${diagnosis.replaceAll(token, '…').trim()}`,
				);
			if (Date.now() > deadline)
				throw new Error(`Jupyter Server did not respond within ${START_LIMIT_MS / 1000} s`);
			const port = await readPort(join(privateFolder, 'runtime'));
			if (port !== null) {
				const address = {url: `http://127.0.0.1:${port}${basePath}`, token};
				const {status} = await callJupyter(address, 'GET', 'api/status');
				if (status !== 200)
					throw new Error(`Jupyter Server responded with ${status} when asked for its state`);
				return {...address, page: await pageOf(address)};
			}
			await sleep(LOOK_EVERY_MS);
		}
	};
	try {
		return {address: await untilReady(), exited: exited.promise, close};
	} catch (error) {
		await close();
		throw error;
	}
};
