import {readNotebook, type Notebook} from './notebook.ts';
import {insertCells, type NewCell} from './edit.ts';

/** New notebook, formatted as nbformat writes it. `kernel`: name of a kernel on the server. */
export const newNotebook = (kernel: string, fillings: readonly NewCell[]): Notebook => {
	const language = /^python(?:\d|$)/.test(kernel) ? 'python' : null;
	const bare = {
		cells: [],
		metadata: {
			kernelspec: {display_name: kernel, ...(language && {language}), name: kernel},
			...(language && {language_info: {name: language}}),
		},
		nbformat: 4,
		nbformat_minor: 5,
	};
	const read = readNotebook(`${JSON.stringify(bare, null, 1)}\n`);
	if (typeof read === 'string') throw new TypeError(read);
	return insertCells(read, 0, fillings).notebook;
};
