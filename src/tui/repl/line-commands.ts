import type {LineCommand} from '../core/feature.ts';
import {notebookPath, sessionExport} from './export.ts';
import {route} from '../core/store/route.ts';

export const replCommands: readonly LineCommand[] = [
	{
		name: 'export',
		argument: '[file]',
		does: 'Write the cells to a file: .ipynb, .py or .md',
		run({get}, path) {
			const server = get().current;
			if (server === null) return 'Choose a server first';
			if (path === '') route(get).openDialog({kind: 'export', server});
			else
				void sessionExport(get).exportSession(server, {
					path,
					place: 'here',
					withTurns: false,
					withEarlier: true,
				});
		},
	},
	{
		name: 'notebook',
		argument: '[file]',
		does: 'Save the cells as a new notebook on the server',
		writes: true,
		run({get}, typed) {
			const server = get().current;
			if (server === null) return 'Choose a server first';
			const isOfNow = (get().repls.get(server)?.cells ?? []).some(({earlier}) => earlier === null);
			void sessionExport(get).exportSession(server, {
				path: notebookPath(server, typed),
				place: 'server',
				withTurns: false,
				withEarlier: !isOfNow,
				opens: true,
			});
		},
	},
];
