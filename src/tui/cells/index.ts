import type {ListedKernel} from '../../api/client-types.ts';
import type {Document} from '../../run/open-kernel.ts';
import {dialog, type Feature} from '../core/feature.ts';
import {askShutDown, canShutDown} from '../servers/ports.ts';
import {kernelData} from './data/kernel-data.ts';
import {kernelVariables, type VariablesState} from './data/variables.ts';
import {deleteVariable, VariablesDialog} from './data/variables-dialog.tsx';
import {variableText} from './data/text-dialog.tsx';
import {documentLogs} from './document-logs.ts';
import {figureViewer} from './figures.ts';
import {codeHelp, type CodeHelpState} from './help/ask.ts';
import {kernelChoice} from './kernels/choose-kernel.ts';
import {kernelAccess, type EndingOrder, type KernelsState} from './kernels/kernels.ts';
import {endKernel, KernelsDialog} from './kernels/kernels-dialog.tsx';
import {kernelCommands} from './kernels/line-commands.ts';
import {kernelLookup, type KernelNamesState} from './kernels/names.ts';
import {kernelRestart} from './kernels/restart.ts';
import {restart} from './kernels/restart-dialog.tsx';
import {serverShutdown} from './kernels/shutdown.ts';
import {shutdown} from './kernels/shutdown-dialog.tsx';
import {cellsKeys} from './keys.ts';

declare module '../core/program.ts' {
	interface State extends CodeHelpState, KernelNamesState, KernelsState, VariablesState {}
	interface Scopes {
		completions: true;
		documentation: true;
		kernels: true;
		variables: true;
		variablesFilter: true;
	}
	interface Dialogs {
		/** Asks before a restart. `users`: paths of the kernel's other sessions, once known. */
		restart: {server: string; document: Document; runsAll: boolean; users?: readonly string[]};
		/** Asks before a server is shut down. */
		shutdown: {server: string};
		/** `at`: id of the selected kernel. */
		kernels: {server: string; at: string | null};
		/** Asks before a kernel in the list is restarted or shut down. */
		'end-kernel': {server: string; kernel: ListedKernel; order: EndingOrder};
		/** Variables of a kernel. `isFiltering`: the filter field has focus. */
		variables: {isFiltering?: boolean};
		/** Asks before a variable is deleted. `mark`: identifies the variable's object. */
		'delete-variable': {server: string; document: Document; name: string; mark: string};
		/** Text of a variable. `isPart`: true if this is only the start of a longer text. */
		'variable-text': {name: string; type: string; text: string; isPart: boolean; top?: number};
	}
}

export const cells: Feature = {
	parts: [
		documentLogs,
		codeHelp,
		figureViewer,
		kernelLookup,
		kernelChoice,
		kernelRestart,
		serverShutdown,
		askShutDown.provide((app, server) => serverShutdown(app).askShutDown(server)),
		canShutDown.provide(({get}, server) => get().links.get(server)?.kind === 'live'),
		kernelAccess,
		kernelData,
		kernelVariables,
	],
	keys: cellsKeys,
	commands: kernelCommands,
	dialogs: [
		restart,
		shutdown,
		dialog({
			kind: 'kernels',
			scope: 'kernels',
			failure: ({kernelList}) => kernelList.failure,
			Dialog: KernelsDialog,
		}),
		endKernel,
		dialog({
			kind: 'variables',
			coversTitles: true,
			scope: ({isFiltering = false}) => [isFiltering ? 'variablesFilter' : 'variables'],
			dismiss: state => kernelVariables(state.app).closeVariables(),
			Dialog: VariablesDialog,
		}),
		deleteVariable,
		variableText,
	],
};
