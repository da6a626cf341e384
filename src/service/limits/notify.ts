import {spawn} from 'node:child_process';
import {once} from 'node:events';
import http, {type IncomingMessage} from 'node:http';
import https from 'node:https';
import {agentFor} from '../../engines/jupyter/agent-call.ts';
import {programEnvironment, proxiesIn} from '../../settings/service-environment.ts';
import {messageOf} from '../../text/errors.ts';

/** Time limit for a webhook or a program, in ms. */
const LIMIT_MS = 10_000;

/** Warning about a stop, or the stop itself. Contains names and times, but no code or content. */
export type StopEvent = {
	readonly event: 'warning' | 'stopped';
	readonly server: string;
	readonly user: string;
	readonly cause: 'idle' | 'run-time' | 'budget';
	/** Time in ISO 8601. */
	readonly at: string;
	/** Sentence for the user. */
	readonly text: string;
};

export type Notify = (event: StopEvent) => Promise<void>;

/** Sends an event to a webhook. Follows no redirects. */
const post = async (address: string, body: string): Promise<void> => {
	const url = new URL(address);
	const signal = AbortSignal.timeout(LIMIT_MS);
	const agent = agentFor(url, {proxyEnv: proxiesIn()});
	const {request: ask} = url.protocol === 'https:' ? https : http;
	const headers = {'content-type': 'application/json', 'content-length': Buffer.byteLength(body)};
	const request = ask(url, {method: 'POST', headers, signal, ...(agent && {agent})}).end(body);
	const [{statusCode = 0}] = (await once(request, 'response')) as [IncomingMessage];
	request.destroy();
	if (statusCode < 200 || statusCode > 299) throw new Error(`it responded with ${statusCode}`);
};

const run = (program: string, body: string): Promise<void> =>
	new Promise((resolve, reject) => {
		const child = spawn(program, {
			env: programEnvironment(),
			stdio: ['pipe', 'ignore', 'ignore'],
			timeout: LIMIT_MS,
		});
		child.once('error', reject);
		child.once('exit', code => {
			if (code === 0) resolve();
			else reject(new Error(`it ended with code ${code}`));
		});
		// Ignored, because a program need not read its standard input.
		child.stdin.on('error', () => undefined);
		child.stdin.end(body);
	});

/**
 * Sends events as one line of JSON to a web address, or to the standard input of a program.
 * Failures are logged without the address, because its path may be secret.
 */
export const createNotify =
	(target: string | undefined, log: (text: string) => void): Notify =>
	async event => {
		if (target === undefined) return;
		const body = `${JSON.stringify(event)}\n`;
		const isWeb = /^https?:\/\//i.test(target);
		try {
			await (isWeb ? post(target, body) : run(target, body));
		} catch (error) {
			log(`${isWeb ? 'the webhook' : 'the program'} of "notify" failed: ${messageOf(error)}`);
		}
	};
