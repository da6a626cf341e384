import type {KernelSpec} from '../../../api/client-types.ts';
import {DEFAULT_KERNEL} from '../../../contract/names.ts';
import {label} from '../../../text/safe.ts';
import type {Slice} from '../../core/program.ts';
import {kernelsOf} from '../../repl/kernel-names-slice.ts';
import {orderFailed} from '../../repl/restart-slice.ts';
import {keyOf, type ServerFile} from '../content.ts';
import {isPendingRun} from './open-notebook.ts';

export type NotebookKernelsSlice = {
	/** Looks up the kernel that a notebook names. Null: its cells can run; else those to choose from. */
	findNotebookKernel(file: ServerFile): Promise<readonly KernelSpec[] | null>;
	/** Asks in which kernel the cells of a notebook run. */
	chooseNotebookKernel(file: ServerFile): Promise<void>;
	/** The cells of a notebook run in this kernel from now on, those with the keys at once. It is written into the file when that is saved with changes. */
	setNotebookKernel(file: ServerFile, spec: KernelSpec, keys: readonly number[]): Promise<void>;
};

export const createNotebookKernelsSlice = (): Slice<NotebookKernelsSlice> => (_, get) => {
	/** Null where neither the server nor the service says which kernels there are. */
	const specsOf = async (server: string): Promise<readonly KernelSpec[] | null> => {
		const link = await get().linkOf(server);
		const listed = (await link?.kernels.specs()) ?? null;
		if (listed !== null && listed.length > 0) return listed;
		if (get().environments.value === undefined) await get().refreshEnvironments();
		const names = kernelsOf(get(), server) ?? [];
		return names.length === 0 ? null : names.map(name => ({name, displayName: name, language: null}));
	};
	return {
		async findNotebookKernel(file) {
			if (get().notebooks.get(keyOf(file))?.kernel !== null) return null;
			const specs = await specsOf(file.server);
			const open = get().notebooks.get(keyOf(file));
			if (specs === null || open?.kernel !== null) return null;
			const [only] = specs;
			// With the usual one alone there is nothing to choose.
			const isUsual = open.notebook.kernel === null && specs.length === 1 && only?.name === DEFAULT_KERNEL;
			const name = isUsual ? DEFAULT_KERNEL : open.notebook.kernel;
			if (name === null || !specs.some(each => each.name === name)) return specs;
			get().changeNotebook(file, () => ({kernel: {name, spec: null}}));
			return null;
		},
		async chooseNotebookKernel(file) {
			const open = get().notebooks.get(keyOf(file));
			if ([...(open?.runs.values() ?? [])].some(isPendingRun))
				return get().notify('info', 'Cells of this notebook run: its kernel can be chosen afterwards');
			const specs = await specsOf(file.server);
			if (specs === null)
				return get().notify('info', `${label(file.server, 60)} does not say which kernels it has`);
			get().openDialog({kind: 'notebook-kernel', file, specs, keys: []});
		},
		async setNotebookKernel(file, spec, keys) {
			const link = await get().linkOf(file.server);
			const done = await link?.kernels.setFor(file.path, spec.name);
			if (done?.ok === false)
				return get().notify(
					'bad',
					orderFailed(`The kernel of ${label(file.path, 200)} is as before`, done.failure),
				);
			get().changeNotebook(file, ({notebook}) => ({
				kernel: {name: spec.name, spec: notebook.kernel === spec.name ? null : spec},
			}));
			get().notify('info', `The cells of ${label(file.path, 200)} run in ${label(spec.displayName, 60)}`);
			if (keys.length > 0) get().runNotebook(file, keys);
		},
	};
};
