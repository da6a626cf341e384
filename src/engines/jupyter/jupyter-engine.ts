import {realpath} from 'node:fs/promises';
import {basename, join} from 'node:path';
import * as z from 'zod';
import {SHUT_DOWN, type Engine, type Session, type SessionOptions} from '../engine.ts';
import type {JupyterInstallation} from './installation.ts';
import {createKernelLookup} from './kernel-lookup.ts';
import {createKernelSessions} from './kernel-session.ts';
import {findPythons} from './pythons.ts';
import {callJupyter} from './rest.ts';
import {startJupyterServer} from './server-process.ts';

export type JupyterOptions = {
	readonly installation: JupyterInstallation;
	/**
	 * Absolute path of a folder for the servers' internal files, to which no other program writes.
	 */
	readonly folder: string;
	/** Environment variables of the servers and their kernels. */
	readonly environment: NodeJS.ProcessEnv;
	/**
	 * True if the service has several users. Servers and kernels then run with a lower priority.
	 */
	readonly isShared?: boolean;
	/**
	 * Returns the Python program of an environment that the user created, and builds the
	 * environment first if needed. Null for other environments.
	 * @throws {StartError} if it cannot be built.
	 */
	readonly buildPython?: (environment: string, onProgress: (text: string) => void) => Promise<string | null>;
};

const sessions = z.array(z.object({kernel: z.object({id: z.string()}).nullable()}));
const activity = z.array(z.object({last_activity: z.string(), execution_state: z.string()}));

const openSession = async (
	{installation, folder, environment, isShared, buildPython}: JupyterOptions,
	{root, environment: wanted, server, own, compute, onProgress}: SessionOptions,
): Promise<Session> => {
	if (!own) throw new Error('a Jupyter Server needs a port and a token');
	const built = (await buildPython?.(wanted, text => onProgress?.(text))) ?? null;
	const python = built ?? findPythons(environment).find(({id}) => id === wanted)?.program;
	const running = await startJupyterServer({
		executable: installation.executable,
		privateFolder: join(folder, basename(root)),
		root: await realpath(root),
		// The `@` in a user name is not percent-encoded, as in a hub's and in all other addresses
		// of the service.
		basePath: `/user/${server.user}/${server.name}/`,
		...own,
		programPort: server.port,
		...compute,
		python,
		environment,
		isShared,
	});
	const {address, exited} = running;
	const kernels = createKernelSessions(address);
	const lookup = createKernelLookup(address);
	let closing = false;
	const ended = Promise.withResolvers<string>();
	void exited.then(({reason, isOrdered}) => {
		if (closing) return;
		ended.resolve(
			isOrdered
				? SHUT_DOWN
				: `Its Jupyter Server ended (${reason}). Files are kept; start it again to continue.`,
		);
	});
	return {
		address,
		lookup,
		ended: ended.promise,
		async run(code, {kernel, signal}) {
			if (closing) throw new Error('This session is closed.');
			return kernels.run(code, kernel, signal);
		},
		async usedSince(time) {
			const {json} = await callJupyter(address, 'GET', 'api/kernels').catch(() => ({json: undefined}));
			const found = activity.safeParse(json).data ?? [];
			return found.some(
				({last_activity: last, execution_state: state}) => state === 'busy' || Date.parse(last) > time,
			);
		},
		async hasKernel() {
			// Every kernel is part of a Jupyter session, except the kernel for look-ups.
			const {json} = await callJupyter(address, 'GET', 'api/sessions').catch(() => ({json: undefined}));
			return (sessions.safeParse(json).data ?? []).some(({kernel}) => kernel !== null);
		},
		async close() {
			closing = true;
			kernels.close();
			await Promise.all([lookup.close(), running.close()]);
		},
	};
};

/**
 * Jupyter Server as an engine. Each session has its own process, on loopback, with all installed
 * kernels.
 */
export const createJupyterEngine = (options: JupyterOptions): Engine => ({
	name: 'jupyter',
	open: session => openSession(options, session),
	close: async () => undefined,
});
