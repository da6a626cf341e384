import {isOver} from '../../../text/server-states.ts';
import type {LineCommand} from '../../core/feature.ts';
import {linkSentence} from '../../live/link-state.ts';
import {serverLinks} from '../../live/links.ts';
import {onServer} from '../../servers/line-commands.ts';
import {kernelVariables} from '../data/variables.ts';
import {kernelChoice} from './choose-kernel.ts';
import {kernelAccess} from './kernels.ts';
import {kernelsOf} from './names.ts';
import {documentLink, focusedDocument} from './owner.ts';
import {kernelRestart} from './restart.ts';
import {serverShutdown} from './shutdown.ts';

export const kernelCommands: readonly LineCommand[] = [
	{
		name: 'kernel',
		argument: 'name',
		does: 'Choose the kernel of the focused document',
		suggest: state => kernelsOf(state, state.current ?? '') ?? [],
		run({get}, kernel) {
			const server = get().current;
			if (server === null) return 'Choose a server first';
			void kernelChoice(get).chooseKernel(server, kernel);
		},
	},
	{
		name: 'kernels',
		does: 'Manage the kernels of this server: use, interrupt, restart, shut down',
		run({get}) {
			const server = get().current;
			return server === null ? 'Choose a server first' : kernelAccess(get).showKernels(server);
		},
	},
	{
		name: 'variables',
		key: 'cells.variables',
		does: 'List the variables of the focused document',
		run({get}) {
			const server = get().current;
			if (server === null) return 'Choose a server first';
			kernelVariables(get).showVariables(server, focusedDocument(get, server));
		},
	},
	{
		name: 'restart',
		key: 'cells.restart',
		does: 'Restart the kernel of the focused document',
		writes: true,
		run({get}) {
			const server = get().current;
			return server === null
				? 'Choose a server first'
				: kernelRestart(get).askRestart(server, {document: focusedDocument(get, server)});
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
		does: 'Use the live link, or show why it is not used; allow: permit it',
		suggest: () => ['allow'],
		run({get}, word) {
			const server = get().current;
			if (server === null) return 'Choose a server first';
			const explained = (): string =>
				linkSentence(server, documentLink(get(), server, focusedDocument(get, server)));
			if (word === 'allow') return serverLinks(get).allowLink(server) ? undefined : explained();
			return serverLinks(get).takeLink(server) ?? explained();
		},
	},
];
