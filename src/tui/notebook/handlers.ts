import type {KeyContext, ScopeHandlers} from '../core/feature.ts';
import {accessTo, type NotebookAccess} from './access.ts';
import {notebookInputKeys} from './input-keys.ts';
import {cellKeys} from './cell-keys.ts';
import {findFieldKeys, findKeys} from './find-keys.ts';
import {outputKeys} from './output-keys.ts';
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
	...outputKeys(access),
	...findKeys(access),
});

/** All keys of a notebook that is edited; each file holds one subject. */
export const notebookHandlers: ScopeHandlers = {
	notebook: (at: KeyContext) => notebook(accessTo(at)),
	notebookEdit: (at: KeyContext) => typingKeys(accessTo(at), at.act),
	notebookAnswer: (at: KeyContext) => notebookInputKeys(accessTo(at)),
	notebookFind: (at: KeyContext) => findFieldKeys(accessTo(at)),
};
