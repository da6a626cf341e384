import {setTimeout as sleep} from 'node:timers/promises';
import type {FailureKind} from '../api/failure.ts';
import type {ServerItem} from '../contract/servers.ts';
import {label} from '../text/safe.ts';
import {CommandError, failed} from './command-error.ts';
import type {Context, Service} from './context.ts';
import {offlineReason, startLine} from './find-server.ts';

export const LIMIT = 5 * 60_000;
/** A service may list a server as offline for a moment after it took the start; where it says why, the second look is believed. */
const OFFLINE_GRACE = 10_000;
/** Milliseconds between two looks, growing from the first to the last. */
const PAUSES = {local: [30, 1000], other: [1000, 5000]} as const;
/** So often in a row the list may fail with one of these before the wait is given up. */
const FAILURES_BORNE = 3;
const PASSING: ReadonlySet<FailureKind> = new Set(['timeout', 'unreachable', 'connection-lost', 'rate-limited', 'server']);
/** Milliseconds without a word: most starts are over by then. */
const QUIET = 1000;

/** A line on the terminal that is drawn over; none where nobody looks. */
const createProgress = ({stderr, json}: Context) => {
	let shown = false;
	return {
		async show(text: string) {
			if (!stderr.isTTY || json) return;
			shown = true;
			await stderr.write(`\r${text}\u001B[K`);
		},
		async clear() {
			if (shown) await stderr.write('\r\u001B[K');
		},
	};
};

/**
 * Waits until the list says `ready`.
 * @throws {CommandError} `server-failed` when it goes offline, `timeout` after `limit` ms.
 */
export const untilReady = async (context: Context, {client, isLocal}: Service, name: string, limit = LIMIT): Promise<ServerItem> => {
	const {signal} = context;
	const progress = createProgress(context);
	const began = Date.now();
	const [first, longest] = PAUSES[isLocal ? 'local' : 'other'];
	let pause: number = first;
	let failures = 0;
	let state = '';
	let hasLeft = false;
	let reasons = 0;
	try {
		for (;;) {
			const reply = await client.servers({signal});
			const elapsed = Date.now() - began;
			if (!reply.ok) {
				if (!PASSING.has(reply.failure.kind) || ++failures >= FAILURES_BORNE) throw failed(reply.failure);
			} else {
				failures = 0;
				const server = reply.value.items.find(item => item.name === name);
				state = server?.status ?? 'not listed';
				if (server?.status === 'ready') return server;
				if (server && server.status !== 'offline') hasLeft = true;
				else if (hasLeft || elapsed > OFFLINE_GRACE || (server && offlineReason(server) !== '' && ++reasons > 1)) {
					throw new CommandError('server-failed', `${JSON.stringify(name)} did not become ready: it is ${server ? (hasLeft ? 'offline again' : 'offline') : hasLeft ? 'gone' : 'not in the list'}.${server ? offlineReason(server) : ''}`, server ? `${startLine(context, name)} tries again.` : `${context.typed('servers')} lists what there is.`);
				}
			}
			if (elapsed > limit) {
				throw new CommandError('timeout', `${JSON.stringify(name)} is not ready after ${limit < 120_000 ? `${limit / 1000} s` : `${Math.round(limit / 60_000)} minutes`}: its state is ${JSON.stringify(state)}.`, `${context.typed('servers')} shows its state; it may still become ready.`);
			}
			if (elapsed > QUIET) await progress.show(`${label(name, 40)} ${label(state, 20)}, ${Math.round(elapsed / 1000)} s`);
			await sleep(Math.min(pause, Math.max(0, limit - elapsed) + 1), undefined, {signal});
			pause = Math.min(pause * 1.3, longest);
		}
	} finally {
		await progress.clear();
	}
};
