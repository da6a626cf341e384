import type {OpenedShell, ShellEvents, ShellOutcome, ShellSize} from '../../api/client-types.ts';
import {label} from '../../text/safe.ts';
import {shellEndText} from '../../text/shell/end-words.ts';
import {noLinkReason} from './link-state.ts';
import {part, type App} from '../core/app.ts';
import {notices} from '../core/store/notices.ts';
import {serverLinks} from './links.ts';

declare module '../core/store/deps.ts' {
	interface Deps {
		/**
		 * Opens a shell on a server, which takes over the terminal. Resolves to null if the
		 * terminal is in use.
		 */
		readonly shell?: (
			server: string,
			open: (size: ShellSize, events: ShellEvents) => Promise<OpenedShell>,
		) => Promise<ShellOutcome | null>;
	}
}

export type ServerShell = {
	/**
	 * Opens a shell on the server, which takes over the terminal until it ends. All other work
	 * continues.
	 */
	openShell(server: string): Promise<void>;
};

export const serverShell = part('serverShell', ({get, deps: {shell}}: App): ServerShell => ({
	async openShell(server) {
		const none = (says: string): void =>
			notices(get).notify('bad', `Cannot open a shell on ${label(server, 60)}: ${says}`);
		const link = await serverLinks(get).addressLink(server);
		if (link === null) return none(noLinkReason(get().links.get(server)));
		const outcome = (await shell?.(server, async (size, events) => link.shell(size, events))) ?? null;
		if (outcome === null) return notices(get).notify('info', 'The terminal is busy. Press the key again');
		if (typeof outcome === 'object') return none(outcome.says);
		const words = shellEndText(outcome, server);
		if (words !== undefined) notices(get).notify(outcome === 'left' ? 'info' : 'bad', words);
	},
}));
