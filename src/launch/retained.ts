import http from 'node:http';
import {readFileSync} from 'node:fs';
import {text} from 'node:stream/consumers';
import * as z from 'zod';
import {isFolderInUse} from '../settings/instance-lock.ts';
import {keyFile, readInstance, type Instance} from '../settings/instance.ts';

const kept = z.object({
	/** Number of programs that use the service. */
	held: z.int(),
	/**
	 * End of the time for which servers are retained, in ISO 8601. Null while a program uses the
	 * service, or if no server is retained.
	 */
	until: z.string().nullable(),
	/** Servers whose kernels have variables. */
	servers: z.array(z.object({name: z.string(), engine: z.string()})),
	/** Servers on SSH hosts, which keep running without the service. `rate`: null if unknown. */
	on_hosts: z.array(z.object({name: z.string(), host: z.string(), rate: z.number().nullable()})).optional(),
});

/** Servers that the local service retains after its last program has left. */
export type RetainedServers = z.infer<typeof kept>;

type Reached = {readonly baseUrl: string; readonly apiKey: string};

/** Sends a request without taking a lease. Null if there is no valid response. */
const ask = (
	{baseUrl, apiKey}: Reached,
	method: 'GET' | 'POST',
	path: string,
	timeout: number,
): Promise<{readonly status: number; readonly kept: RetainedServers | null} | null> =>
	new Promise(resolve => {
		// Own agent, so that no proxy is used, as for the lease.
		const agent = new http.Agent();
		const body =
			method === 'POST' ? {headers: {apiKey, 'content-type': 'application/json'}} : {headers: {apiKey}};
		const request = http.request(`${baseUrl}${path}`, {method, agent, ...body});
		const timer = setTimeout(() => request.destroy(), timeout);
		const answer = (value: {readonly status: number; readonly kept: RetainedServers | null} | null): void => {
			clearTimeout(timer);
			resolve(value);
		};
		request.on('error', () => answer(null));
		request.on('response', response => {
			text(response).then(
				body_ => {
					const status = response.statusCode ?? 0;
					answer({status, kept: status === 200 ? (parse(body_) ?? null) : null});
				},
				() => answer(null),
			);
		});
		request.end(method === 'POST' ? '{}' : undefined);
	});

const parse = (body: string): RetainedServers | undefined => {
	try {
		return kept.safeParse(JSON.parse(body)).data;
	} catch {
		return undefined;
	}
};

const REQUEST_MS = 1000;
/** The service stops its engines within 3 s. */
const STOP_MS = 5000;

/** Servers that the service retains. Null if unknown. */
export const fetchRetained = async (reached: Reached, within = REQUEST_MS): Promise<RetainedServers | null> =>
	(await ask(reached, 'GET', '/local/kept', within))?.kept ?? null;

const isAlive = (pid: number): boolean => {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
};

/** Running service of a data folder, found without a lease. Null if there is none. */
export const findRunning = (dataFolder: string): (Reached & {readonly instance: Instance}) | null => {
	// Only the lock proves that the service runs. After its end another program may use the port.
	const instance = isFolderInUse(dataFolder) ? readInstance(dataFolder) : null;
	// The file may describe an ended service: a new one takes the lock before it removes the old
	// file.
	if (instance === null || !isAlive(instance.pid)) return null;
	try {
		return {instance, baseUrl: instance.url, apiKey: readFileSync(keyFile(dataFolder), 'utf8').trim()};
	} catch {
		return {instance, baseUrl: instance.url, apiKey: ''};
	}
};

/**
 * Asks the service to stop, with all its servers. `refused`: it was started by hand, and only its
 * starter may stop it.
 */
export const askToStop = async (reached: Reached): Promise<RetainedServers | 'refused' | null> => {
	const answer = await ask(reached, 'POST', '/local/stop', STOP_MS);
	if (answer?.status === 409) return 'refused';
	return answer?.kept ?? null;
};
