// Servers on machines that the local service reaches over SSH.
import type {ServerItem} from '../../contract/servers.ts';
import {hostOf} from '../../query/own-hosts.ts';
import {label} from '../../text/safe.ts';
import {part, type App} from '../core/app.ts';
import {refused, type Refusal} from '../core/keys/action.ts';
import {notices} from '../core/store/notices.ts';
import {serverList} from './servers.ts';

declare module '../core/store/deps.ts' {
	interface Deps {
		/**
		 * Hands the terminal to ssh, which signs in to a host. Null if the terminal was not free,
		 * false if it failed.
		 */
		readonly signInToHost?: (host: string) => Promise<boolean | null>;
	}
}

/** The host that asks the user to sign in, or a refusal. */
export const lockedHost = (server: ServerItem): string | Refusal =>
	(server.status === 'locked' ? hostOf(server) : null) ??
	refused(`${label(server.name, 60)} does not ask you to sign in`);

export type HostSignIn = {
	/** Hands the terminal to ssh until the user has signed in to the host. */
	signInTo(host: string): Promise<void>;
};

export const hostSignIn = part('hostSignIn', ({get, deps: {signInToHost}}: App): HostSignIn => ({
	async signInTo(host) {
		const isSignedIn = (await signInToHost?.(host)) ?? null;
		const name = label(host, 60);
		if (isSignedIn === null) return notices(get).notify('info', 'The terminal is busy. Press the key again');
		if (isSignedIn) notices(get).notify('good', `Signed in to ${name}`);
		else notices(get).notify('bad', `ssh did not sign in to ${name}: svc-tui ssh login ${name} shows why`);
		serverList(get).doubtServers();
	},
}));
