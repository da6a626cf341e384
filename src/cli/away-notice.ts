import type {ServerItem} from '../contract/servers.ts';
import {label} from '../text/safe.ts';
import {isUp} from '../text/server-states.ts';
import type {Context} from './context.ts';
import {isStale, statusReason} from './find-server.ts';
import {spanText} from './poller.ts';
import {printNotice} from './print.ts';

/** Wait for a connection before a notice is printed, in ms. Most connections open immediately. */
const CONNECT_MS = 2000;

/**
 * Prints one notice that a server's host is unreachable and the command is waiting, and one notice
 * when the host is reachable again. `before`: called before a notice is written.
 */
export const createAwayNotice = (
	context: Context,
	{limit, before}: {readonly limit: number; readonly before: () => Promise<void>},
) => {
	let reported: 'connecting' | 'away' | null = null;
	const note = async (text: string): Promise<void> => {
		await before();
		await printNotice(context, text);
	};
	return {
		/** `elapsed`: time since the first check by this command, in ms. */
		async see(server: ServerItem, elapsed: number): Promise<void> {
			const last = reported;
			const name = label(server.name, 60);
			if (isStale(server)) {
				if (elapsed > CONNECT_MS) reported ??= 'connecting';
			} else reported = server.status === 'unreachable' ? 'away' : null;
			if (reported === last) return;
			if (reported === null) {
				if (isUp(server.status) && last === 'away') await note(`${name} can be reached again.`);
				return;
			}
			const span = Number.isFinite(limit) ? ` for up to ${spanText(limit)}` : '';
			await note(
				`${name} ${reported === 'away' ? 'cannot be reached now' : 'is not connected yet'}.${statusReason(server)}${last === null ? ` This command waits${span}; Ctrl-C ends it.` : ''}`,
			);
		},
	};
};
