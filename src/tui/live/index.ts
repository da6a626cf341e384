import type {Feature} from '../core/feature.ts';
import {serverLinks, type LinksState} from './links.ts';
import {serverLoad, type LoadState} from './load.ts';
import {serverShell} from './shell.ts';

declare module '../core/program.ts' {
	interface State extends LinksState, LoadState {}
}

export const live: Feature = {
	parts: [serverLinks, serverLoad, serverShell],
	commands: [
		{
			name: 'shell',
			does: 'Open a shell on the server',
			writes: true,
			run({get}) {
				const server = get().current;
				if (server === null) return 'Choose a server first';
				void serverShell(get).openShell(server);
			},
		},
	],
};
