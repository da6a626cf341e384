import {cellWidth} from '../../text/width/width.ts';
import type {EditorLines} from '../core/components/editor-lines.ts';
import {lineField, masked} from '../core/components/line-field.ts';
import {paint} from '../core/theme/theme.ts';
import type {Asks} from './cell.ts';

const PROMPT = {shown: ' answer: ', hidden: ' hidden: '} as const;

/** The input field of a cell that waits for input, on one row. */
export const answerLines = (
	{field, question: {isSecret}}: Asks,
	width: number,
	active: boolean,
): EditorLines => {
	const prompt = isSecret ? PROMPT.hidden : PROMPT.shown;
	const {text, x} = lineField(isSecret ? masked(field) : field, Math.max(4, width - prompt.length - 1));
	return {lines: [paint(active ? 'accent' : 'dim', prompt) + text], cursor: {x: cellWidth(prompt) + x, y: 0}};
};
