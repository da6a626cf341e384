import {headingIn} from '../markdown/heading.ts';
import type {Notebook} from './notebook.ts';

/** Heading in a notebook. `key`: key of its cell. `depth`: 1 to 6. */
export type NotebookHeading = {readonly key: number; readonly depth: number; readonly text: string};

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Headings in the Markdown cells, in order. Lines in code fences are not headings. */
export const headingsOf = ({cells}: Pick<Notebook, 'cells'>): readonly NotebookHeading[] =>
	cells.flatMap(({key, kind, source}) => {
		if (kind !== 'markdown') return [];
		let fence: string | null = null;
		return source.split('\n').flatMap((line): readonly NotebookHeading[] => {
			const mark = FENCE.exec(line)?.[1];
			if (fence !== null) {
				if (mark?.startsWith(fence)) fence = null;
				return [];
			}
			fence = mark ?? null;
			const heading = mark === undefined ? headingIn(line) : null;
			return heading === null || heading.text === '' ? [] : [{key, ...heading}];
		});
	});
