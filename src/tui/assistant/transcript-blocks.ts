import type {BlockPlace, Conversation} from './conversation.ts';
import type {Cell} from '../cells/cell.ts';
import {otherLanguage} from '../../text/python/run-language.ts';
import {ANSWER_STYLE} from '../core/components/markdown.ts';
import {foundIn, type FoundRow} from '../core/components/transcript-find.ts';
import {paint, paintedCache} from '../core/theme/theme.ts';
import {runLines} from './run-lines.ts';
import {BAR, PAINTED_BAR, turnBlock, type TurnCode, type TurnOptions} from './turn-lines.ts';
import {withoutColours} from '../../text/width/width.ts';

/** A code block with its position among all rows. */
export type PlacedCode = BlockPlace & {readonly row: number; readonly code: TurnCode};

export type Transcript = {
	readonly blocks: readonly (readonly string[])[];
	readonly codes: readonly PlacedCode[];
	/** Selected block; the last one by default. */
	readonly chosen: PlacedCode | undefined;
	/** First row of each turn, by its id. */
	readonly starts: ReadonlyMap<number, number>;
};

export type TranscriptOptions = TurnOptions & {
	readonly cells: readonly Cell[];
	/** Keys in the upper edge of the selected code box. */
	readonly keys: string;
	/** Keys for code in a language that the kernel does not run. */
	readonly keysOfOther: string;
	readonly kernel: string;
};

type Known = TranscriptOptions & Pick<Conversation, 'chosenBlock'> & {readonly transcript: Transcript};
const known = paintedCache<Conversation['turns'], Known>();

/**
 * The conversation as blocks of rows. Unchanged turns are not gathered again: a key costs the same
 * below hundreds of turns.
 */
export const transcriptOf = (
	conversation: Pick<Conversation, 'turns' | 'chosenBlock'>,
	options: TranscriptOptions,
): Transcript => {
	const before = known.get(conversation.turns);
	const {width, engine, raw, showsThinking, cells, keys, kernel} = options;
	if (
		before?.chosenBlock === conversation.chosenBlock &&
		before.width === width &&
		before.engine === engine &&
		before.raw === raw &&
		before.showsThinking === showsThinking &&
		before.cells === cells &&
		before.keys === keys &&
		before.kernel === kernel
	)
		return before.transcript;
	const transcript = laidOut(conversation, options);
	known.set(conversation.turns, {...options, chosenBlock: conversation.chosenBlock, transcript});
	return transcript;
};

/** Reuses earlier layouts for all but the growing turn and the selected box. */
const laidOut = (
	{turns, chosenBlock}: Pick<Conversation, 'turns' | 'chosenBlock'>,
	options: TranscriptOptions,
): Transcript => {
	const {engine, cells, keys, keysOfOther, kernel, width} = options;
	const blocks: (readonly string[])[] = [];
	const codes: PlacedCode[] = [];
	let row = 0;
	const places: number[] = [];
	const starts = new Map<number, number>();
	const add = (lines: readonly string[]): void => {
		blocks.push(lines);
		row += lines.length;
	};
	for (const turn of turns) {
		const {lines, codes: own} = turnBlock(turn, options);
		starts.set(turn.id, row);
		for (const [index, code] of own.entries()) {
			codes.push({turn: turn.id, block: index, row: row + code.row, code});
			places.push(blocks.length);
		}
		add(lines);
		if (turn.runs.length > 0) add(runLines(turn.runs, cells, width));
		add(['']);
	}
	const found =
		chosenBlock === null
			? -1
			: codes.findIndex(each => each.turn === chosenBlock.turn && each.block === chosenBlock.block);
	const at = found === -1 ? codes.length - 1 : found;
	const chosen = codes[at];
	const place = places[at];
	if (engine !== undefined && chosen !== undefined && place !== undefined && keys !== '') {
		const {code} = chosen;
		const first = blocks.slice(0, place).reduce((sum, lines) => sum + lines.length, 0);
		const top =
			paint('accent', BAR) +
			code.before +
			engine.codeTop(
				code.language,
				otherLanguage(code.language, kernel) === undefined ? keys : keysOfOther,
				code.width,
				ANSWER_STYLE,
			);
		blocks[place] = (blocks[place] ?? []).with(chosen.row - first, top);
	}
	return {blocks, codes, chosen, starts};
};

/** All rows that contain the text. */
export const findRows = ({blocks}: Transcript, words: string, width: number): readonly FoundRow[] =>
	foundIn(
		blocks.map(lines => ({
			key: lines,
			mayHold: () => true,
			rows: () => lines.map(line => (line.startsWith(PAINTED_BAR) ? line.slice(PAINTED_BAR.length) : line)),
		})),
		words,
		width,
	);

/**
 * Row of a turn that contains the text, or the turn's first row if the text spans two rows. Null if
 * it is gone.
 */
export const rowOf = (
	{blocks, starts}: Transcript,
	{turn, text}: {readonly turn: number; readonly text: string},
): number | null => {
	const start = starts.get(turn);
	if (start === undefined) return null;
	let at = 0;
	const wanted = text.toLowerCase();
	for (const lines of blocks) {
		if (at >= start) {
			const found = lines.findIndex(line => withoutColours(line).toLowerCase().includes(wanted));
			if (found >= 0) return at + found;
			if (at > start) break;
		}
		at += lines.length;
	}
	return start;
};
