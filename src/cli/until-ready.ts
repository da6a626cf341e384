import {isOver, isUp, meaningOf} from '../text/server-states.ts';
import type {ServerItem} from '../contract/servers.ts';
import {label} from '../text/safe.ts';
import {CommandError} from './command-error.ts';
import type {Context, Service} from './context.ts';
import {createAwayNotice} from './away-notice.ts';
import {isStale, statusReason, startLine, unknownServer} from './find-server.ts';
import {createPoller, spanText} from './poller.ts';
import {createProgress} from './progress.ts';

export const LIMIT = 5 * 60_000;
/**
 * Time in ms for which a service may list a server as offline after accepting its start. If the
 * service gives a reason, the server counts as offline at the second poll with a reason.
 */
const OFFLINE_GRACE = 10_000;
/** Shortest and longest pause between two polls, in ms. The pause grows from poll to poll. */
const PAUSES = {local: [30, 1000], other: [1000, 5000]} as const;
/**
 * Maximum number of consecutive failures of the local service. After it has stopped, it does not
 * start again during this command.
 */
const MAX_FAILURES = 3;
/** Time in ms before progress is shown. Most starts take less. */
const QUIET = 1000;

const NOT_LISTED = 'not listed';

/**
 * `isKnown`: true if the server must be in the list from the start. Otherwise it may appear a
 * moment later.
 */
export type WaitOptions = {readonly limit?: number | undefined; readonly isKnown?: boolean};

/**
 * Waits until the list shows the server as running, also while the service is unavailable.
 * @throws {CommandError} `server-failed` if it stops or fails, `timeout` after `limit` ms.
 */
export const untilReady = async (
	context: Context,
	{client, isLocal}: Service,
	name: string,
	{limit = LIMIT, isKnown = false}: WaitOptions = {},
): Promise<ServerItem> => {
	const progress = createProgress(context);
	const poller = createPoller(context, {
		limit,
		beforeNote: progress.clear,
		...(isLocal && {maxFailures: MAX_FAILURES}),
	});
	const away = createAwayNotice(context, {limit, before: progress.clear});
	const [first, longest] = PAUSES[isLocal ? 'local' : 'other'];
	let pause: number = first;
	let state = '';
	let reason = '';
	let hasLeft = false;
	let reasons = 0;
	try {
		for (;;) {
			const isFirst = !poller.hasSeen;
			const list = await poller.poll(signal => client.servers({signal}));
			const {elapsed, outage} = poller;
			if (list !== undefined) {
				const server = list.items.find(item => item.name === name);
				if (server === undefined && isKnown && isFirst) throw unknownServer(context, name, list);
				state = server?.status ?? NOT_LISTED;
				reason = server ? statusReason(server) : '';
				if (server) await away.see(server, elapsed);
				if (server && isUp(server.status) && !isStale(server)) return server;
				// Waiting is useless, because the user must first sign in.
				if (server?.status === 'locked')
					throw new CommandError('conflict', `${JSON.stringify(name)} cannot be reached.${reason}`, '');
				if (server && !isOver(server.status)) hasLeft = true;
				else if (hasLeft || elapsed > OFFLINE_GRACE || (reason !== '' && ++reasons > 1)) {
					throw new CommandError(
						'server-failed',
						`${JSON.stringify(name)} did not become ready: it is ${server ? `${label(state, 40)}${hasLeft && state === 'offline' ? ' again' : ''}` : hasLeft ? 'gone' : 'not in the list'}.${reason}`,
						server
							? `${startLine(context, name)} tries again.`
							: `${context.typed('servers')} lists your servers.`,
					);
				}
			}
			if (poller.isOver) {
				const known =
					outage === undefined
						? `is not ready after ${spanText(limit)}: ${state === '' ? 'the service does not report its state' : `its state is ${JSON.stringify(state)}`}.`
						: `was not seen ready within ${spanText(limit)}${state === '' ? '' : `; its last known state is ${JSON.stringify(state)}`}. ${outage.why}`;
				throw new CommandError(
					'timeout',
					`${JSON.stringify(name)} ${known}`,
					// An unknown state may be the service's own word for a running server.
					meaningOf(state) === 'unknown' && outage === undefined && state !== NOT_LISTED
						? `${context.typed('run', name, '-c', '1')} tries it anyway.`
						: `${context.typed('servers')} shows its state; it may still become ready.`,
				);
			}
			if (elapsed > QUIET)
				await progress.show(
					`${label(name, 40)} ${outage ? 'no response' : label(state, 20)}, ${Math.round(elapsed / 1000)} s${outage || reason === '' ? '' : `:${label(reason, 400)}`}`,
				);
			await poller.pause(pause);
			pause = Math.min(pause * 1.3, longest);
		}
	} finally {
		await progress.clear();
	}
};
