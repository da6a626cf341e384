import type {Pane, Store} from '../core/program.ts';
import {isOpen} from '../servers/opened.ts';
import {findServer} from '../servers/servers.ts';
import {route} from '../core/store/route.ts';
import {renting} from '../servers/create/submit.ts';
import {fileViewer} from './viewer/open-file.ts';

/**
 * Target of the `open` command: the pane of a server and, optionally, a line of a file, counted
 * from 1.
 */
export type StartLocation = {
	readonly server: string;
	readonly screen: Pane;
	readonly file: {readonly path: string; readonly line: number} | null;
	/** True to start the server if it is offline. Only possible for servers on this machine. */
	readonly starts?: boolean;
};

/** Opens a server's pane at once, and the file as soon as the server is ready. */
export const openStartLocation = (
	store: Store,
	{server, screen, file, starts = false}: StartLocation,
): void => {
	route(store.getState).chooseServer(server, screen);
	if (starts) {
		const stop = store.subscribe(state => {
			if (findServer(state, server) === undefined || state.servers.status !== 'ready') return;
			stop();
			void renting(state.app).startAgain(server);
		});
	}
	if (file === null) return;
	const stop = store.subscribe(state => {
		if (!isOpen(state, server)) return;
		stop();
		route(state.app).focusPart('files', 'viewer');
		void fileViewer(state.app).openFile(server, file.path, file.line);
	});
};
