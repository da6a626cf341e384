import {setTimeout as sleep} from 'node:timers/promises';
import {joinNames} from '../text/join-names.ts';
import {perHour} from '../text/money.ts';
import {label} from '../text/safe.ts';
import {CommandError} from './command-error.ts';
import type {Context} from './context.ts';
import {printNotice, printResult} from './print.ts';

/** Longest wait for the end of the service, in ms. The service stops within 3 s. */
const END_MS = 6000;
const LOOK_EVERY_MS = 20;

/** Runs `local stop`: stops the automatically started service and the servers it retains. */
export const stopLocal = async (context: Context): Promise<void> => {
	const running = await context.running();
	if (running === null)
		return printResult(context, {stopped: false, servers: []}, 'No local service is running.\n');
	const {pid, leased} = running;
	const kept = leased ? await running.stop() : 'refused';
	if (kept === 'refused')
		throw new CommandError(
			'conflict',
			`The local service was started with svc-tui serve (process ${pid}) and does not stop automatically.`,
			'Stop it with Ctrl-C where it was started.',
		);
	for (const until = performance.now() + END_MS; running.isThere() && performance.now() < until;)
		await sleep(LOOK_EVERY_MS);
	if (running.isThere())
		throw new CommandError(
			'unreachable',
			`The local service (process ${pid}) did not stop.`,
			`kill ${pid} ends it and its engines.`,
		);
	const names = kept?.servers.map(({name}) => name) ?? [];
	const onHosts = kept?.on_hosts ?? [];
	const ended = names.length === 0 ? '' : `, and ${joinNames(names)} with their kernel variables`;
	await printResult(
		context,
		{stopped: true, servers: names, ...(onHosts.length > 0 && {on_hosts: onHosts})},
		`The local service has stopped${ended}. Files are kept.\n`,
	);
	if (onHosts.length > 0) {
		const list = onHosts.map(
			({name, host, rate}) => `${label(name, 60)} on ${label(host, 60)} (${perHour(rate ?? undefined)})`,
		);
		const [first] = onHosts;
		await printNotice(
			context,
			`Still running: ${joinNames(list)}. Stop one with: ${context.typed('server', 'stop', first?.name ?? '')}.`,
		);
	}
	if ((kept?.held ?? 0) > 0) await printNotice(context, 'Open programs will start it again.');
};
