import {isOver} from '../../text/server-states.ts';
import type {LineCommand} from '../core/feature.ts';
import {linkSentence} from '../live/link-state.ts';
import {onServer} from '../servers/line-commands.ts';
import {notebookPath, sessionExport} from './export.ts';
import {replLink} from '../cells/kernels/cells-link.ts';
import {kernelsOf} from '../cells/kernels/names.ts';
import {route} from '../core/store/route.ts';
import {kernelChoice} from '../cells/kernels/choose-kernel.ts';
import {kernelAccess} from '../cells/kernels/kernels.ts';
import {kernelRestart} from '../cells/kernels/restart.ts';
import {serverShutdown} from '../cells/kernels/shutdown.ts';
import {serverLinks} from '../live/links.ts';

/** Of the `:` line. */
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
		does: 'The cells as a new notebook on the server',
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
	{
		name: 'kernel',
		argument: 'name',
		does: 'The kernel that runs the cells of this server',
		suggest: state => kernelsOf(state, state.current ?? '') ?? [],
		run({get}, kernel) {
			const server = get().current;
			if (server === null) return 'Choose a server first';
			void kernelChoice(get).chooseKernel(server, kernel);
		},
	},
	{
		name: 'kernels',
		does: 'Kernels of this server: use, interrupt, restart, shut down',
		run({get}) {
			const server = get().current;
			return server === null ? 'Choose a server first' : kernelAccess(get).showKernels(server);
		},
	},
	{
		name: 'restart',
		key: 'cells.restart',
		does: 'Restart the kernel of this server',
		writes: true,
		run({get}) {
			const server = get().current;
			return server === null ? 'Choose a server first' : kernelRestart(get).askRestart(server);
		},
	},
	{
		name: 'shutdown',
		argument: '[server]',
		does: 'Shut a server down, to stop paying for it',
		writes: true,
		suggest: state =>
			(state.servers.value?.items ?? []).filter(({status}) => !isOver(status)).map(({name}) => name),
		run: onServer(({get}, server) => serverShutdown(get).askShutDown(server)),
	},
	{
		name: 'live',
		argument: '[allow]',
		does: 'How output comes, and why; take or allow a link',
		suggest: () => ['allow'],
		run({get}, word) {
			const server = get().current;
			if (server === null) return 'Choose a server first';
			const explained = (): string => linkSentence(server, replLink(get(), server));
			if (word === 'allow') return serverLinks(get).allowLink(server) ? undefined : explained();
			return serverLinks(get).takeLink(server) ?? explained();
		},
	},
];
