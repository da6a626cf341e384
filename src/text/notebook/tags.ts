import {fieldsOf, jsonIn} from '../record.ts';
import type {NotebookCell} from './notebook.ts';

/** What a person has tagged a cell with. */
export const tagsOf = ({text}: Pick<NotebookCell, 'text'>): readonly string[] => {
	const {tags} = fieldsOf(fieldsOf(jsonIn(text))['metadata']);
	return Array.isArray(tags) ? tags.filter(tag => typeof tag === 'string') : [];
};
