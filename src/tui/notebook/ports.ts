import type {KernelSpec} from '../../api/client-types.ts';
import {port} from '../core/ports.ts';
import type {ServerFile} from '../files/content.ts';

/** Keeps the unsaved changes of a notebook beside its file. */
export const keepNotebook = port<[file: ServerFile], Promise<void>>('keepNotebook');
/** Looks up the kernel that a notebook names. Null: its cells can run; else those to choose from. */
export const findNotebookKernel = port<[file: ServerFile], Promise<readonly KernelSpec[] | null>>(
	'findNotebookKernel',
);
/** Asks in which of these kernels the cells with the keys run. */
export const askNotebookKernel =
	port<[file: ServerFile, specs: readonly KernelSpec[], keys: readonly number[]]>('askNotebookKernel');
