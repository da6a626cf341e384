import {withoutEnd, withoutEnds} from '../ends.ts';

const BLANK = ' \t';

/**
 * Heading in a line: its depth, and its text without the `#` marks on either side. Null if the line
 * is not a heading.
 */
export const headingIn = (line: string): {readonly depth: number; readonly text: string} | null => {
	const [head = '', marks = ''] = /^ {0,3}(#{1,6})(?=[ \t]|$)/.exec(line) ?? [];
	if (marks === '') return null;
	const title = withoutEnds(line.slice(head.length), BLANK);
	const unmarked = withoutEnd(title, '#');
	return {
		depth: marks.length,
		text: unmarked === title || !/[ \t]$/.test(unmarked) ? title : withoutEnd(unmarked, BLANK),
	};
};
