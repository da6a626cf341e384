// Search in the cells and their outputs.
import {createEditor, insert, type Editor} from '../../text/editor/editor.ts';
import type {Output} from '../../text/notebook/notebook.ts';
import {indexOfKey} from '../../text/notebook/edit.ts';
import {formText} from '../../text/output/form-text.ts';
import {joinMultiline} from '../../text/output/multiline.ts';
import {fieldsOf} from '../../text/record.ts';
import {editingKeys} from '../core/components/editor-keys.ts';
import {onOneLine} from '../core/components/line-field.ts';
import {keyFor} from '../core/keys/live-keys.ts';
import type {NotebookAccess} from './access.ts';

const textOf = (output: Output): string =>
	[
		joinMultiline(output['text']),
		formText(fieldsOf(output['data'])).text,
		joinMultiline(output['traceback'], '\n'),
	].join('\n');

const finder =
	({withOpen, choose}: NotebookAccess) =>
	(by: 1 | -1) =>
		withOpen(open => {
			const words = open.find?.field.text.toLowerCase() ?? '';
			if (words === '') return `Nothing to search for yet: ${keyFor('notebook.find')} starts a search`;
			const {cells} = open.notebook;
			const from = indexOfKey(open.notebook, open.at);
			for (let far = 1; far <= cells.length; far++) {
				const index = (from + by * far + cells.length * 2) % cells.length;
				const cell = cells[index];
				if (cell === undefined) break;
				const texts = [cell.source, ...cell.outputs.map(textOf)];
				if (texts.some(text => text.toLowerCase().includes(words))) {
					choose(index);
					return (by > 0 ? index <= from : index >= from) ? 'The search wrapped around' : undefined;
				}
			}
			return `${JSON.stringify(words.slice(0, 60))} is in none of the cells`;
		});

export const findEffects = (access: NotebookAccess) => {
	const {withOpen, change} = access;
	const find = finder(access);
	return {
		find: withOpen(open => change({find: {field: open.find?.field ?? createEditor(), typing: true}})),
		nextMatch: find(1),
		previousMatch: find(-1),
	};
};

/** The search field (`/`). */
export const findFieldEffects = (access: NotebookAccess) => {
	const {now, change} = access;
	const field = (): Editor => now()?.find?.field ?? createEditor();
	const set = (next: Editor): void => change({find: {field: next, typing: true}});
	return {
		...editingKeys({draft: field, set}),
		accept() {
			change({find: {field: field(), typing: false}});
			return finder(access)(1)();
		},
		leave: () => change({find: null}),
		typed: (text: string) => set(insert(field(), onOneLine(text))),
	};
};
