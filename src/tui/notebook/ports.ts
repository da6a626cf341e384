import type {KernelSpec} from '../../api/client-types.ts';
import {port} from '../core/ports.ts';
import type {ServerFile} from '../files/content.ts';

/** Stores the unsaved changes of a notebook in a recovery copy. */
export const keepNotebook = port<[file: ServerFile], Promise<void>>('keepNotebook');
/**
 * Looks up the kernel that a notebook names. Null if its cells can run; otherwise the kernels from
 * which the user must choose.
 */
export const findNotebookKernel = port<[file: ServerFile], Promise<readonly KernelSpec[] | null>>(
	'findNotebookKernel',
);
/** Asks the user which of these kernels runs the cells with these keys. */
export const askNotebookKernel =
	port<[file: ServerFile, specs: readonly KernelSpec[], keys: readonly number[]]>('askNotebookKernel');
