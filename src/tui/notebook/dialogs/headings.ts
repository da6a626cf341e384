import {fuzzyFilter} from '../../../text/editor/fuzzy.ts';
import {indexOfKey} from '../../../text/notebook/edit.ts';
import {headingsOf} from '../../../text/notebook/headings.ts';
import {label} from '../../../text/safe.ts';
import {chooser} from '../../core/dialogs/chooser.tsx';
import {keyOf} from '../../files/content.ts';
import {notebookList} from '../notebooks.ts';

/** Headings of a notebook; Enter selects the cell. */
export const chooseHeading = chooser({kind: 'notebook-headings'}, ({get}, {file}) => {
	const open = get().notebooks.get(keyOf(file));
	const headings = open === undefined ? [] : headingsOf(open.notebook);
	const selected = open === undefined ? -1 : indexOfKey(open.notebook, open.at);
	const indexOf = (key: number): number => (open === undefined ? -1 : indexOfKey(open.notebook, key));
	const nearest = headings.findLast(({key}) => indexOf(key) <= selected);
	/** Index of the first heading in the selected cell, or in the nearest cell above with one. */
	const current = headings.findIndex(({key}) => key === nearest?.key);
	return {
		title: `Headings of ${label(file.path, 50)}`,
		enterLabel: 'go there',
		empty: 'No heading has these letters.',
		startsAt: current === -1 ? undefined : String(current),
		choicesFor: typed =>
			fuzzyFilter(
				typed,
				headings.map((heading, id) => ({...heading, id})),
				({text}) => text,
			).map(({key, depth, text, id}) => ({
				id: String(id),
				text: `${typed === '' ? '  '.repeat(depth - 1) : ''}${text}`,
				note: `cell ${indexOf(key) + 1}`,
				choose: () =>
					notebookList(get).changeNotebook(file, () => ({at: key, marks: null, top: {key, row: 0}})),
			})),
	};
});
