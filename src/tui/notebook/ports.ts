import type {KernelSpec} from '../../api/client-types.ts';
import {port} from '../core/ports.ts';
import type {ServerFile} from '../files/content.ts';

/** Stores the unsaved changes of a notebook beside its file. */
export const keepNotebook = port<[file: ServerFile], Promise<void>>('keepNotebook');
/**
 * Looks up the kernel that a notebook names. Null: its cells can run; else the kernels to choose
 * from.
 */
export const findNotebookKernel = port<[file: ServerFile], Promise<readonly KernelSpec[] | null>>(
	'findNotebookKernel',
);
/** Asks which of these kernels runs the cells with these keys. */
export const askNotebookKernel =
	port<[file: ServerFile, specs: readonly KernelSpec[], keys: readonly number[]]>('askNotebookKernel');
