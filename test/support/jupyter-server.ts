import {spawn} from 'node:child_process';
import {randomBytes} from 'node:crypto';
import {once} from 'node:events';
import {closeSync, mkdirSync, openSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect} from 'vitest';
import {findProgram} from '../../src/engines/jupyter/installation.ts';
import {freePort} from '../../src/service/local/listening.ts';
import {tempFolder} from './temp-folder.ts';
import {waitFor} from './wait-for.ts';

export const jupyterMissing = findProgram('jupyter-server', process.env) === undefined;

export type JupyterServer = AsyncDisposable & {
	/** Address of the server, with a slash at its end. */
	readonly url: string;
	readonly token: string;
	/** Root folder of its files. */
	readonly root: string;
	/** Status of the server's response to a path below the address. */
	status(path: string): Promise<number>;
	readonly log: () => string;
	stop(): Promise<void>;
};

/** Starts Debian's Jupyter Server as a user would, independent of our programs. */
export const jupyterServer = async ({
	port,
	token = randomBytes(16).toString('hex'),
	env = {},
}: {
	readonly port?: number;
	readonly token?: string;
	readonly env?: NodeJS.ProcessEnv;
} = {}): Promise<JupyterServer> => {
	const temp = tempFolder();
	const root = join(temp.path, 'files');
	mkdirSync(root);
	const own = port ?? (await freePort());
	const url = `http://127.0.0.1:${own}/`;
	const logFile = join(temp.path, 'log');
	const log = openSync(logFile, 'a');
	const child = spawn(
		'jupyter-server',
		[
			'--no-browser',
			'--allow-root',
			`--port=${own}`,
			'--ServerApp.port_retries=0',
			`--ServerApp.token=${token}`,
		],
		{
			cwd: root,
			stdio: ['ignore', log, log],
			env: {
				...process.env,
				HOME: temp.path,
				JUPYTER_CONFIG_DIR: join(temp.path, 'config'),
				JUPYTER_RUNTIME_DIR: join(temp.path, 'runtime'),
				IPYTHONDIR: join(temp.path, 'ipython'),
				...env,
			},
		},
	);
	closeSync(log);
	const exited = once(child, 'exit');
	const status: JupyterServer['status'] = async path =>
		(await fetch(url + path, {headers: {authorization: `token ${token}`}})).status;
	const stop = async (): Promise<void> => {
		child.kill('SIGTERM');
		await exited;
	};
	await waitFor(async () => expect(await status('api/status')).toBe(200), {interval: 100});
	return {
		url,
		token,
		root,
		status,
		log: () => readFileSync(logFile, 'utf8'),
		stop,
		async [Symbol.asyncDispose]() {
			await stop();
			temp[Symbol.dispose]();
		},
	};
};
