import http from 'node:http';
import {readFileSync} from 'node:fs';
import {text} from 'node:stream/consumers';
import * as z from 'zod';
import {isFolderInUse} from '../settings/instance-lock.ts';
import {keyFile, readInstance, type Instance} from '../settings/instance.ts';

const kept = z.object({
	/** Programs that use the service. */
	held: z.int(),
	/** ISO 8601; null as long as a program uses it, or when nothing is kept. */
	until: z.string().nullable(),
	/** Those whose kernels hold what code made. */
	servers: z.array(z.object({name: z.string(), engine: z.string()})),
});

/** What the local service keeps, or would keep, when its last program goes. */
export type RetainedServers = z.infer<typeof kept>;

type Reached = {readonly baseUrl: string; readonly apiKey: string};

/** Null when it does not answer, or not as this version does. Takes no lease. */
const ask = (
	{baseUrl, apiKey}: Reached,
	method: 'GET' | 'POST',
	path: string,
	timeout: number,
): Promise<{readonly status: number; readonly kept: RetainedServers | null} | null> =>
	new Promise(resolve => {
		// An agent of its own, as for the lease: no proxy of the environment.
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

const LOOK_MS = 1000;
/** It ends its engines within 3 s. */
const STOP_MS = 5000;

/** Null when it cannot be known. */
export const fetchRetained = async (reached: Reached, within = LOOK_MS): Promise<RetainedServers | null> =>
	(await ask(reached, 'GET', '/local/kept', within))?.kept ?? null;

const isAlive = (pid: number): boolean => {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
};

/** The service that runs on a data folder, found without holding it; null when there is none. */
export const findRunning = (dataFolder: string): (Reached & {readonly instance: Instance}) | null => {
	// Only the lock shows that the owner lives: its port may be somebody else's by now, who must not get our key.
	const instance = isFolderInUse(dataFolder) ? readInstance(dataFolder) : null;
	// A new owner has the lock before it has removed what a killed one left.
	if (instance === null || !isAlive(instance.pid)) return null;
	try {
		return {instance, baseUrl: instance.url, apiKey: readFileSync(keyFile(dataFolder), 'utf8').trim()};
	} catch {
		return {instance, baseUrl: instance.url, apiKey: ''};
	}
};

/** Asks the service to end, and everything with it. `refused`: whoever started it ends it. */
export const askToStop = async (reached: Reached): Promise<RetainedServers | 'refused' | null> => {
	const answer = await ask(reached, 'POST', '/local/stop', STOP_MS);
	if (answer?.status === 409) return 'refused';
	return answer?.kept ?? null;
};
