import {insert, type Editor} from '../../text/editor/editor.ts';
import {cellWidth} from '../../text/width/width.ts';
import {editingKeys} from '../core/components/editor-keys.ts';
import type {EditorLines} from '../core/components/editor-lines.ts';
import {lineField, masked, onOneLine} from '../core/components/line-field.ts';
import type {KeyHandlers} from '../core/room.ts';
import {paint} from '../core/theme/theme.ts';
import {scrollCells, type CellPlace} from './cell-place.ts';
import {replOf} from './transcript.ts';
import {type Asks} from '../cells/cell.ts';
import {withoutEnd} from '../../text/ends.ts';

const PROMPT = {shown: ' answer: ', hidden: ' hidden: '} as const;

/** What is typed for a cell that waits for a line, on one row. */
export const answerLines = (
	{field, question: {isSecret}}: Asks,
	width: number,
	active: boolean,
): EditorLines => {
	const prompt = isSecret ? PROMPT.hidden : PROMPT.shown;
	const {text, x} = lineField(isSecret ? masked(field) : field, Math.max(4, width - prompt.length - 1));
	return {lines: [paint(active ? 'accent' : 'dim', prompt) + text], cursor: {x: cellWidth(prompt) + x, y: 0}};
};

/** Handlers of that field. */
export const answerKeys = (place: CellPlace): ReturnType<KeyHandlers<'answer'>> => {
	const {get, server} = place;
	const field = (): Editor => replOf(get(), server).asks?.field ?? replOf(get(), server).draft;
	const set = (next: Editor): void => {
		const {asks} = replOf(get(), server);
		if (asks !== null) get().changeRepl(server, {asks: {...asks, field: next}});
	};
	return {
		...editingKeys({draft: field, set}),
		answer: () => get().answerCell(server),
		scrollUp: () => scrollCells(place).pageUp(),
		scrollDown: () => scrollCells(place).pageDown(),
		read: () => get().focusPart('repl', 'cells'),
		interrupt: () => void get().stopCell(server),
		// A line end behind what is pasted would be a space of the password.
		typed: text => set(insert(field(), onOneLine(withoutEnd(text, '\r\n')))),
	};
};
