import type {At, ScopeHandlers} from '../../core/feature.ts';
import {accessTo, type NotebookAccess} from './access.ts';
import {answerKeys} from './input-keys.ts';
import {cellKeys} from './cell-keys.ts';
import {findFieldKeys, findKeys} from './find-keys.ts';
import {lookKeys} from './output-keys.ts';
import {moveKeys, noCells} from './move-keys.ts';
import {cellAt} from './open-notebook.ts';
import {runKeys} from './run-keys.ts';
import {saveKeys} from './save-keys.ts';
import {typingKeys} from './edit-keys.ts';

const notebook = (access: NotebookAccess) => ({
	...moveKeys(access),
	edit: access.withOpen(open => (cellAt(open) === undefined ? noCells() : access.edit())),
	...runKeys(access),
	...saveKeys(access),
	...cellKeys(access),
	...lookKeys(access),
	...findKeys(access),
});

/** Every key of a notebook that is worked in; each file of them is a subject. */
export const notebookHandlers: ScopeHandlers = {
	notebook: (at: At) => notebook(accessTo(at)),
	notebookEdit: (at: At) => typingKeys(accessTo(at), at.act),
	notebookAnswer: (at: At) => answerKeys(accessTo(at)),
	notebookFind: (at: At) => findFieldKeys(accessTo(at)),
};
