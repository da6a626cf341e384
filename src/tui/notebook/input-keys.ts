// Keys of the line that the user types for input().
import {createEditor, insert, type Editor} from '../../text/editor/editor.ts';
import {editingKeys} from '../core/components/editor-keys.ts';
import {onOneLine} from '../core/components/line-field.ts';
import type {NotebookAccess} from './access.ts';
import {withoutEnd} from '../../text/ends.ts';
import {notebookList} from './notebooks.ts';

export const inputEffects = ({get, now, withOpen, change}: NotebookAccess) => {
	const field = (): Editor => now()?.asks?.field ?? createEditor();
	const set = (next: Editor): void => {
		const asks = now()?.asks;
		if (asks) change({asks: {...asks, field: next}});
	};
	return {
		...editingKeys({draft: field, set}),
		answer: withOpen(open => notebookList(get).answerNotebook(open)),
		interrupt: withOpen(open => void notebookList(get).stopNotebook(open)),
		typed: (text: string) => set(insert(field(), onOneLine(withoutEnd(text, '\r\n')))),
	};
};
