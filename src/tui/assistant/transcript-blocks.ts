import type {BlockPlace, Conversation, BlockRun} from './conversation.ts';
import {type Cell, hasRaised, isPending} from '../cells/cell.ts';
import {otherLanguage} from '../../text/python/run-language.ts';
import {ANSWER_STYLE} from '../core/components/markdown.ts';
import {foundIn, type FoundRow} from '../core/components/transcript-find.ts';
import {paint, paintedCache} from '../core/theme/theme.ts';
import {marginOf, turnBlock, type TurnCode, type TurnOptions} from './turn-lines.ts';
import {withoutColours, cut} from '../../text/width/width.ts';
import {outputOfCell} from '../cells/cell-text.ts';
import {explainFailure} from '../core/store/remote.ts';
import {block, label} from '../../text/safe.ts';
import {durationText} from '../core/components/age.ts';
import {glyph} from '../core/theme/glyphs.ts';

/** Maximum number of output lines of a cell below the answer; the REPL shows all of them. */
const SHOWN = 6;

const outcome = (cell: Cell): string => {
	if (isPending(cell))
		return cell.state === 'queued' ? 'waiting for the previous cell' : 'runs on this server';
	if (cell.failure !== null) return explainFailure(cell.failure).what;
	if (cell.state !== 'done') return cell.state === 'interrupted' ? 'interrupted' : 'abandoned';
	return cell.startedAt !== null && cell.endedAt !== null ? durationText(cell.endedAt - cell.startedAt) : '';
};

/**
 * Results of code blocks that were run: a line that names the cell, and the first lines of output.
 */
export const runLines = (
	runs: readonly BlockRun[],
	cells: readonly Cell[],
	width: number,
): readonly string[] => {
	const margin = marginOf(width);
	return runs.flatMap(({cell: id}) => {
		const cell = cells.find(each => each.id === id);
		if (cell === undefined) return [margin + paint('dim', `${glyph.leads} was already run here`)];
		const raised = hasRaised(cell);
		const name = `In [${cell.result?.execution_count ?? '*'}]`;
		const head = `${margin}${paint('accent', `${glyph.leads} ${name}`)}  ${paint(raised ? 'bad' : 'dim', `${raised ? 'raised, ' : ''}${label(outcome(cell), 300)}`)}`;
		const lines = outputOfCell(cell).replace(/\n$/, '').split('\n');
		const shown = raised ? lines.slice(-1) : lines.slice(0, SHOWN);
		const hidden = lines.length - shown.length;
		return [
			cut(head, width),
			...(lines.length === 1 && lines[0] === ''
				? []
				: shown.map(line => cut(`${margin}  ${block(line.slice(0, 1000))}`, width))),
			...(hidden > 0
				? [`${margin}  ${paint('dim', `${hidden} more line${hidden === 1 ? '' : 's'} in the REPL`)}`]
				: []),
		];
	});
};

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
	/** Keys shown in the head of the selected code block. */
	readonly keys: string;
	/** Keys for code in a language that the kernel does not run. */
	readonly keysOfOther: string;
	readonly kernel: string;
};

type Known = TranscriptOptions & Pick<Conversation, 'chosenBlock'> & {readonly transcript: Transcript};
const known = paintedCache<Conversation['turns'], Known>();

/** The conversation as blocks of rows. Cached, so that keys stay fast after hundreds of turns. */
export const transcriptOf = (
	conversation: Pick<Conversation, 'turns' | 'chosenBlock'>,
	options: TranscriptOptions,
): Transcript => {
	const before = known.get(conversation.turns);
	const {width, engine, raw, showsThinking, models, cells, keys, kernel} = options;
	if (
		before?.chosenBlock === conversation.chosenBlock &&
		before.width === width &&
		before.engine === engine &&
		before.raw === raw &&
		before.showsThinking === showsThinking &&
		before.models === models &&
		before.cells === cells &&
		before.keys === keys &&
		before.kernel === kernel
	)
		return before.transcript;
	const transcript = laidOut(conversation, options);
	known.set(conversation.turns, {...options, chosenBlock: conversation.chosenBlock, transcript});
	return transcript;
};

/** Lays out the growing turn and the head of the selected code only; all else is reused. */
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
	if (turns.length > 0) add(['']);
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
			marginOf(width) +
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
		blocks.map(lines => ({key: lines, mayHold: () => true, rows: () => lines})),
		words,
		width,
	);

/**
 * Row of a turn that contains the text, or the turn's first row if no row contains all of it. Null
 * if the turn is gone.
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
