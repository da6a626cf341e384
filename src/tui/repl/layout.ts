import {pythonLines} from '../core/components/code-line.ts';
import {editorLines, type EditorLines} from '../core/components/editor-lines.ts';
import {transcriptHeight} from '../core/components/transcript-pane.tsx';
import {keyFor} from '../core/keys/live-keys.ts';
import type {Rect, State} from '../core/program.ts';
import {lastResult} from '../core/store/last-result.ts';
import {inTextOf} from '../pictures/in-text.ts';
import {answerLines} from '../cells/answer.ts';
import {blocksOf, cellLines} from '../cells/rows/cell-lines.ts';
import {replOf, type Repl} from './transcript.ts';
import type {CellPosition} from './cell-position.ts';

const PROMPT = ' >>> ';
const MORE = ' ... ';
/** Longest code that is coloured at each key, in UTF-16 units. */
const MOST_COLOURED = 20_000;

const optionsIn = (width: number, height: number) => ({
	width,
	height: Math.max(1, Math.floor(height * 0.4)),
	prompt: PROMPT,
	more: MORE,
});

/** The typed code, in rows. */
const draftLines = (draft: Repl['draft'], {width, height}: Rect, isTyping: boolean): EditorLines =>
	editorLines(draft, {
		...optionsIn(width, height),
		active: isTyping,
		...(draft.text.length < MOST_COLOURED && {
			highlight: code => pythonLines(code, isTyping ? draft.cursor : undefined),
		}),
	});

/** Rows at the bottom: the input field of a waiting cell, else the typed code. */
export const footLines = ({asks, draft}: Repl, rect: Rect, isTyping: boolean): EditorLines =>
	asks === null ? draftLines(draft, rect, isTyping) : answerLines(asks, rect.width, isTyping);

// Laid out without colours, which do not change the number of rows.
const roomFor = lastResult((draft: Repl['draft'], width: number, height: number): number =>
	transcriptHeight(height, editorLines(draft, {...optionsIn(width, height), active: false}).lines.length),
);
const roomIn = (state: State, server: string, {width, height}: Rect): number => {
	const {asks, draft} = replOf(state, server);
	return asks === null ? roomFor(draft, width, height) : transcriptHeight(height, 1);
};

/** Layout of a server's cells in the pane. */
export const placeOf = (
	get: () => State,
	server: string,
	rect: Rect,
	room = roomIn(get(), server, rect),
): CellPosition => {
	const {pictureStyle, pictureLook, placed} = get();
	// Limits the height of a picture, so that it fits into the pane with the code above it.
	const look = {
		width: rect.width,
		pictureStyle,
		pictureRows: Math.max(4, Math.min(24, rect.height - 7)),
		inText: inTextOf(pictureLook, placed),
		unfoldKey: keyFor('cells.fold'),
		figureKey: keyFor('cells.place'),
		lead: 1 as const,
	};
	return {
		get,
		server,
		room,
		width: rect.width,
		pictureRows: look.pictureRows,
		linesOf: (cell, open = false, left = replOf(get(), server).sideways.get(cell.id) ?? 0) =>
			cellLines(cell, {...look, open, left}),
		blocksOf: of => blocksOf(of, look),
	};
};
