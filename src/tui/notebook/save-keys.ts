// Keys that save, compare with the file, and open the user's editor.
import {indexOfKey, outputSize, withNewCell, withSource} from '../../text/notebook/edit.ts';
import type {NotebookAccess} from './access.ts';
import {asTyped, cellAt} from './open-notebook.ts';
import {route} from '../core/store/route.ts';
import {notebookSaving} from './save.ts';
import {notebookList} from './notebooks.ts';
import {externalEditor} from '../files/saving/external-editor.ts';
import {notices} from '../core/store/notices.ts';

/** Size of outputs above which saving asks first, in UTF-16 units. */
const LARGE = 10_000_000;

export const saveEffects = ({get, server, now, withOpen, commit}: NotebookAccess) => ({
	save: (): string | void => {
		commit();
		const open = now();
		if (open === undefined) return;
		const size = outputSize(asTyped(open));
		if (size > LARGE)
			route(get).openDialog({kind: 'save-large', file: {server: open.server, path: open.path}, size});
		else void notebookSaving(get).saveNotebook(open);
	},
	editor: withOpen(open => {
		commit();
		const cell = cellAt(open);
		if (cell === undefined) return 'There is no cell to edit';
		const {key} = cell;
		const source = now()?.notebook.cells.find(each => each.key === key)?.source ?? '';
		notebookList(get).changeNotebook(open, () => ({isOutside: true}));
		void externalEditor(get)
			.editText(server, 'code', source)
			.then(text => {
				notebookList(get).changeNotebook(open, () => ({isOutside: false}));
				if (text === null) return;
				notebookList(get).workNotebook(open, notebook => {
					if (indexOfKey(notebook, key) !== -1) return {notebook: withSource(notebook, key, text), at: key};
					notices(get).notify('info', 'The cell is gone: your text is in a new cell at the end');
					const made = withNewCell(notebook, notebook.cells.length);
					return {notebook: withSource(made.notebook, made.key, text), at: made.key};
				});
			});
	}),
});
