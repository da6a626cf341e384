import type {Room} from '../core/room.ts';
import {createLinksSlice, type LinksSlice} from './links.ts';
import {createLoadSlice, type LoadSlice} from './load.ts';
import {createShellSlice, type ShellSlice} from './shell.ts';

declare module '../core/program.ts' {
	interface State extends LinksSlice, LoadSlice, ShellSlice {}
}

export const live: Room = {
	slices: [createLinksSlice, createLoadSlice, createShellSlice],
	commands: [
		{
			name: 'shell',
			does: 'A shell on the server, in this terminal',
			writes: true,
			run({get}) {
				const server = get().current;
				if (server === null) return 'Choose a server first';
				void get().openShell(server);
			},
		},
	],
};
