import type {KernelSpec} from '../../api/client-types.ts';
import {DEFAULT_KERNEL} from '../../contract/names.ts';
import {sessionOf} from '../../run/open-kernel.ts';
import {label} from '../../text/safe.ts';
import {keyFor} from '../core/keys/live-keys.ts';
import {kernelsOf} from '../cells/kernels/names.ts';
import {orderFailed} from '../live/orders.ts';
import {keyOf, type ServerFile} from '../files/content.ts';
import {asTyped, hasKeys, isPendingRun} from './open-notebook.ts';
import {part, type App} from '../core/app.ts';
import {serverLinks} from '../live/links.ts';
import {environmentList} from '../environments/environments.ts';
import {notebookList} from './notebooks.ts';
import {route} from '../core/store/route.ts';
import {notices} from '../core/store/notices.ts';

export type NotebookKernels = {
	/**
	 * Looks up the kernel that a notebook names. Null if its cells can run; otherwise the kernels
	 * from which the user must choose.
	 */
	findNotebookKernel(file: ServerFile): Promise<readonly KernelSpec[] | null>;
	/**
	 * Asks the user for one of these kernels, and then runs the cells in `keys`. If something else
	 * has focus by now, shows a notice on what to do.
	 */
	askNotebookKernel(file: ServerFile, specs: readonly KernelSpec[], keys: readonly number[]): void;
	/** Makes the cells of a notebook run in the kernel with this name from now on. */
	useNotebookKernel(file: ServerFile, name: string): Promise<void>;
	/** Asks the user which kernel runs the cells of a notebook. */
	chooseNotebookKernel(file: ServerFile): Promise<void>;
	/**
	 * Makes the cells of a notebook run in this kernel from now on, and runs the cells in `keys` at
	 * once. Saving writes the choice to the file.
	 */
	setNotebookKernel(file: ServerFile, spec: KernelSpec, keys: readonly number[]): Promise<void>;
};

const AFTERWARDS = 'Cells of this notebook are running: choose its kernel when they have ended';

export const notebookKernels = part('notebookKernels', ({get}: App): NotebookKernels => {
	/** The kernels of a server. Null if neither the server nor the service lists them. */
	const specsOf = async (server: string): Promise<readonly KernelSpec[] | null> => {
		const link = await serverLinks(get).linkOf(server);
		const listed = (await link?.kernels.specs()) ?? null;
		if (listed !== null && listed.length > 0) return listed;
		if (get().environments.value === undefined) await environmentList(get).refreshEnvironments();
		const names = kernelsOf(get(), server) ?? [];
		return names.length === 0 ? null : names.map(name => ({name, displayName: name, language: null}));
	};
	/**
	 * True if a dialog may open: the notebook has focus and the user is not typing, so that the
	 * dialog receives no key meant for something else.
	 */
	const canAsk = (file: ServerFile): boolean => {
		const open = get().notebooks.get(keyOf(file));
		if (open === undefined || open.find?.typing) return false;
		return hasKeys(get(), file) && asTyped(open) === open.notebook;
	};
	const isRunning = (file: ServerFile): boolean =>
		[...(get().notebooks.get(keyOf(file))?.runs.values() ?? [])].some(isPendingRun);
	return {
		async findNotebookKernel(file) {
			if (get().notebooks.get(keyOf(file))?.kernel !== null) return null;
			const specs = await specsOf(file.server);
			const open = get().notebooks.get(keyOf(file));
			if (specs === null || open?.kernel !== null) return null;
			const [only] = specs;
			// The user need not choose if the file names no kernel and only the default exists.
			const isUsual = open.notebook.kernel === null && specs.length === 1 && only?.name === DEFAULT_KERNEL;
			const name = isUsual ? DEFAULT_KERNEL : open.notebook.kernel;
			if (name === null || !specs.some(each => each.name === name)) return specs;
			notebookList(get).changeNotebook(file, () => ({kernel: {name, spec: null}}));
			return null;
		},
		askNotebookKernel(file, specs, keys) {
			if (canAsk(file)) return route(get).openDialog({kind: 'notebook-kernel', file, specs, keys});
			notices(get).notify(
				'info',
				`No cell of ${label(file.path, 200)} was run: choose its kernel first, with ${keyFor('notebook.kernel')}`,
			);
		},
		async useNotebookKernel(file, name) {
			const specs = await specsOf(file.server);
			if (isRunning(file)) return notices(get).notify('info', AFTERWARDS);
			const found = specs?.find(each => each.name === name);
			const spec = found ?? (specs === null ? {name, displayName: name, language: null} : null);
			if (spec === null)
				return notices(get).notify('bad', `${label(file.server, 60)} has no kernel ${label(name, 60)}`);
			await notebookKernels(get).setNotebookKernel(file, spec, []);
		},
		async chooseNotebookKernel(file) {
			if (isRunning(file)) return notices(get).notify('info', AFTERWARDS);
			const specs = await specsOf(file.server);
			if (isRunning(file)) return notices(get).notify('info', AFTERWARDS);
			if (specs === null)
				return notices(get).notify('info', `${label(file.server, 60)} does not list its kernels`);
			if (canAsk(file)) route(get).openDialog({kind: 'notebook-kernel', file, specs, keys: []});
		},
		async setNotebookKernel(file, spec, keys) {
			const link = await serverLinks(get).linkOf(file.server);
			const document = {kind: 'notebook', path: file.path, kernel: spec.name} as const;
			const done = await link?.kernels.replace(sessionOf(document));
			if (done?.ok === false)
				return notices(get).notify(
					'bad',
					orderFailed(`The kernel of ${label(file.path, 200)} is unchanged`, done.failure),
				);
			notebookList(get).changeNotebook(file, ({notebook}) => ({
				ownership: undefined,
				kernel: {name: spec.name, spec: notebook.kernel === spec.name ? null : spec},
			}));
			notices(get).notify(
				'info',
				`The cells of ${label(file.path, 200)} run in ${label(spec.displayName, 60)}`,
			);
			if (keys.length > 0) notebookList(get).runNotebook(file, keys);
		},
	};
});
