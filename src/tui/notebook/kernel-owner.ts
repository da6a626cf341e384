import type {Document} from '../../run/open-kernel.ts';
import type {KernelOwner} from '../cells/kernels/owner.ts';
import {isWaiting} from '../cells/cell.ts';
import type {App} from '../core/app.ts';
import {keyOf, type ServerFile} from '../files/content.ts';
import {notebookKernels} from './kernel.ts';
import {notebookList} from './notebooks.ts';
import {documentOf, isPendingRun, type OpenNotebook} from './open-notebook.ts';

const runsCells = ({runs}: OpenNotebook): boolean => [...runs.values()].some(isPendingRun);

/** Runs all cells once no cell is running. */
const runAll = ({get, subscribe}: App, file: ServerFile): void => {
	const isReady = (): boolean => {
		const open = get().notebooks.get(keyOf(file));
		if (open === undefined) return true;
		if (runsCells(open)) return false;
		notebookList(get).runNotebook(
			file,
			open.notebook.cells.map(({key}) => key),
		);
		return true;
	};
	if (isReady()) return;
	const end = subscribe((state, old) => {
		if (state.notebooks === old.notebooks) return;
		end();
		// Other listeners must receive this change before `runAll` makes the next one.
		queueMicrotask(() => runAll(get().app, file));
	});
};

/** The notebook as the owner of its kernel. */
export const notebookOwner = (
	app: App,
	server: string,
	document: Extract<Document, {readonly kind: 'notebook'}>,
): KernelOwner => {
	const file = {server, path: document.path};
	const open = app.get().notebooks.get(keyOf(file));
	const runs = [...(open?.runs ?? [])];
	return {
		document: open === undefined ? document : documentOf(open),
		running: runs.find(([, {state}]) => state === 'running')?.[0],
		queued: runs.filter(([, run]) => isWaiting(run)).length,
		use: kernel => void notebookKernels(app).useNotebookKernel(file, kernel),
		// The waiting cells are in the kernel and end with it, so none must be held back.
		endKernel: () => () => {},
		runAll: () => runAll(app, file),
	};
};
