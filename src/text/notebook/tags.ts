import {pythonJsonIn} from '../python-json.ts';
import {fieldsOf} from '../record.ts';
import type {NotebookCell} from './notebook.ts';

export const tagsOf = ({text}: Pick<NotebookCell, 'text'>): readonly string[] => {
	const {tags} = fieldsOf(fieldsOf(pythonJsonIn(text))['metadata']);
	return Array.isArray(tags) ? tags.filter(tag => typeof tag === 'string') : [];
};
