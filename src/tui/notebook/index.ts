import type {KernelSpec} from '../../api/client-types.ts';
import type {Feature} from '../core/feature.ts';
import type {ServerFile} from '../files/content.ts';
import {documents} from '../files/document.ts';
import {showNotebookCell} from '../files/ports.ts';
import {chooseKernel} from './dialogs/choose-kernel.ts';
import {chooseHeading} from './dialogs/headings.ts';
import {saveLarge} from './dialogs/save-large.tsx';
import {notebookDocuments} from './document.ts';
import {notebookKernels} from './kernel.ts';
import {notebookKeys} from './keys.ts';
import {notebookCommands} from './line-commands.ts';
import {showNamedCell} from './named-cell.ts';
import {notebookList, type NotebooksState} from './notebooks.ts';
import {notebookOpening} from './open.ts';
import {askNotebookKernel, findNotebookKernel, keepNotebook} from './ports.ts';
import {notebookRecovery} from './recovery.ts';
import {runReports} from './run-reports.ts';
import {notebookSaving} from './save.ts';
import {notebookSharing} from './sharing.ts';

declare module '../core/program.ts' {
	interface State extends NotebooksState {}
	interface Scopes {
		notebook: true;
		notebookEdit: true;
		notebookAnswer: true;
		notebookFind: true;
	}
	interface Dialogs {
		/** A notebook with outputs of more than 10 MB. `size`: size of the outputs. */
		'save-large': {file: ServerFile; size: number};
		/** Headings of a notebook's text cells. */
		'notebook-headings': {file: ServerFile};
		/** Kernels to choose from. `keys`: keys of the cells that run once the user has chosen. */
		'notebook-kernel': {file: ServerFile; specs: readonly KernelSpec[]; keys: readonly number[]};
	}
}

export const notebook: Feature = {
	parts: [
		notebookList,
		notebookOpening,
		notebookRecovery,
		notebookSaving,
		notebookKernels,
		runReports,
		notebookSharing,
		keepNotebook.provide(async (app, file) => notebookRecovery(app).keepNotebook(file)),
		findNotebookKernel.provide(async (app, file) => notebookKernels(app).findNotebookKernel(file)),
		askNotebookKernel.provide((app, ...asked) => notebookKernels(app).askNotebookKernel(...asked)),
		showNotebookCell.provide(showNamedCell),
		documents.provide(notebookDocuments),
	],
	keys: notebookKeys,
	commands: notebookCommands,
	runs: ({notebooks}, server) =>
		[...notebooks.values()].flatMap(open => (open.server === server ? [...open.runs.values()] : [])),
	dialogs: [saveLarge, chooseKernel, chooseHeading],
};
