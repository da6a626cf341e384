import {explainFailure} from '../core/store/remote.ts';
import type {State} from '../core/program.ts';
import {SUMMARY_QUESTION, isSummary} from './conversation.ts';
import {modelName} from './model-name.ts';
import {isAnswering, type Turn} from './conversations.ts';
import type {CodeBlock, Markdown} from '../../text/markdown/markdown.ts';
import {answerEnd} from '../../text/answer-end.ts';
import {isContextFull} from '../../text/context-full.ts';
import {block, label} from '../../text/safe.ts';
import {cellWidth, cut} from '../../text/width/width.ts';
import {wrap} from '../../text/width/wrap.ts';
import {keyFor} from '../../text/key-name.ts';
import {callDetailsHint} from '../core/components/key-hint.ts';
import {bytesText} from '../../text/size.ts';
import {durationText} from '../core/components/age.ts';
import {ANSWER_STYLE, type MarkdownEngine} from '../core/components/markdown.ts';
import {glyph} from '../core/theme/glyphs.ts';
import {paint, paintedCache} from '../core/theme/theme.ts';

type Models = State['models'];

/** `engine`: the renderer; undefined until loaded. `raw`: shows answers as source. */
export type TurnOptions = {
	readonly width: number;
	readonly engine: MarkdownEngine | undefined;
	readonly raw: boolean;
	/** True if the model's thinking is unfolded. */
	readonly showsThinking: boolean;
	/** Models with their names for users. */
	readonly models: Models;
};

/** A turn as rows, and the code blocks in its answer with their rows. */
export type TurnBlock = {readonly lines: readonly string[]; readonly codes: readonly TurnCode[]};
/** `isWhole`: no more text will be added. */
export type TurnCode = CodeBlock & {readonly isWhole: boolean};

/** Blank cells at the left of all rows of a turn. */
export const marginOf = (width: number): string => ' '.repeat(width < 100 ? 2 : 3);

/** Width of an answer, without its margin and the free cell at its right. */
const roomOf = (width: number): number => width - marginOf(width).length - 1;
/** Width of prose, in cells. */
const proseOf = (width: number): number => Math.min(roomOf(width), ANSWER_STYLE.measure);

const ASKED = `${glyph.prompt} `;

/** A question in rows, with its attachments beside the last row if they fit. */
export const questionRows = (
	turn: Pick<Turn, 'question' | 'carried' | 'replaced'>,
	width: number,
): string[] => {
	const room = proseOf(width) - ASKED.length;
	const carried = turn.carried
		.filter(({mention}) => !turn.question.includes(mention))
		.map(({mention}) => label(mention, 120))
		.join('  ');
	const rows = block(turn.question)
		.split('\n')
		.flatMap(line => wrap(line, room))
		.map(row => paint(turn.replaced ? 'dim' : 'own', row));
	const last = rows.at(-1) ?? '';
	if (carried !== '' && cellWidth(last) + 3 + cellWidth(carried) <= room)
		rows[rows.length - 1] = `${last}   ${paint('dim', carried)}`;
	else if (carried !== '') rows.push(...wrap(carried, room).map(row => paint('dim', row)));
	return rows.map(
		(row, index) => marginOf(width) + (index === 0 ? paint('accent', ASKED) : ' '.repeat(ASKED.length)) + row,
	);
};

const withMargin = (row: string, width: number): string => (row === '' ? '' : marginOf(width) + row);

/** `final`: number of lines that will not change when more text arrives. */
type Answer = {
	readonly lines: readonly string[];
	readonly codes: readonly CodeBlock[];
	readonly final: number;
};
type Laid = Answer & {readonly options: TurnOptions; readonly text: string; readonly markdown?: Markdown};

/** An answer as Markdown source. All lines before the last line break are final. */
const rawAnswer = (text: string, options: TurnOptions, known: Laid | undefined): Laid => {
	const closed = known?.lines.slice(0, known.final) ?? [];
	const open = known === undefined ? 0 : known.text.lastIndexOf('\n') + 1;
	const rowsOf = (part: string): readonly string[] =>
		block(part)
			.split('\n')
			.flatMap(line => wrap(line, roomOf(options.width)))
			.map(row => withMargin(row, options.width));
	const last = text.lastIndexOf('\n');
	const complete = last < open ? [] : rowsOf(text.slice(open, last));
	return {
		options,
		text,
		lines: [...closed, ...complete, ...rowsOf(text.slice(last + 1))],
		codes: [],
		final: closed.length + complete.length,
	};
};

const markdownAnswer = (
	text: string,
	options: TurnOptions,
	engine: MarkdownEngine,
	known: Laid | undefined,
): Laid => {
	const markdown = engine.renderMarkdown(text, roomOf(options.width), ANSWER_STYLE, known?.markdown);
	const lines = known === undefined ? [] : known.lines.slice(0, known.final);
	for (let row = lines.length; row < markdown.rows.length; row++)
		lines.push(withMargin(markdown.rows[row] ?? '', options.width));
	return {
		options,
		text,
		lines,
		codes: markdown.codes,
		final: Math.min(markdown.closed.rowCount, lines.length),
		markdown,
	};
};

const laid = new Map<number, Laid>();
/** Number of unfinished answers whose layouts are cached. */
const KEPT = 20;

const areSame = (one: TurnOptions, other: TurnOptions): boolean =>
	one.width === other.width &&
	one.engine === other.engine &&
	one.raw === other.raw &&
	one.showsThinking === other.showsThinking &&
	one.models === other.models;

/** The rows of an answer. While the answer grows, only its last, open part is laid out again. */
const answerOf = (turn: Turn, options: TurnOptions): Answer => {
	const before = laid.get(turn.id);
	const known =
		before !== undefined && areSame(before.options, options) && turn.answer.startsWith(before.text)
			? before
			: undefined;
	if (known?.text === turn.answer) return known;
	const {engine, raw} = options;
	const next =
		engine === undefined || raw
			? rawAnswer(turn.answer, options, known)
			: markdownAnswer(turn.answer, options, engine, known);
	laid.delete(turn.id);
	laid.set(turn.id, next);
	const oldest = laid.keys().next().value;
	if (laid.size > KEPT && oldest !== undefined) laid.delete(oldest);
	return next;
};

/** The model's thinking: one row, with the text below if it is unfolded. */
const thinkingRows = (
	{reasoning, askedAt, firstTextAt}: Turn,
	{width, showsThinking}: TurnOptions,
): string[] => {
	const thought = reasoning.trim();
	if (thought === '') return [];
	const how = firstTextAt === null ? 'thinking' : `thought for ${durationText(firstTextAt - askedAt)}`;
	const size = bytesText(Buffer.byteLength(thought));
	const key = `${keyFor('assistant.thinking')} ${showsThinking ? 'closes' : 'opens'} it`;
	const head = `${marginOf(width)}${showsThinking ? glyph.unfolded : glyph.folded} ${how} ${glyph.other} ${size} ${glyph.other} ${key}`;
	const rows = showsThinking
		? block(thought)
				.split('\n')
				.flatMap(line => wrap(line, proseOf(width) - 2))
				.map(row => marginOf(width) + paint('dim', `${glyph.divider} ${row}`.trimEnd()))
		: [];
	return [paint('dim', cut(head, width)), ...rows];
};

/** Finish reasons that are not shown: a normal end, and those of a task, whose text states them. */
const SAID: ReadonlySet<string> = new Set(['stop', 'done', 'gave-up', 'asked', 'stopped']);

/** Text on why the answer ended, if nothing else shows it. */
const endText = (reason: string | null): string => {
	if (reason === null || SAID.has(reason)) return '';
	const end = answerEnd(reason);
	if (end === 'whole') return '';
	if (end === 'length') return ', cut off at its length limit';
	return `, ended: ${label(reason, 40)}`;
};

const SEPARATOR = ` ${glyph.other} `;

const usageText = (turn: Turn, name: string): string => {
	const {promptTokens = null, completionTokens = null} = turn.usage ?? {};
	const tokens =
		promptTokens === null && completionTokens === null
			? ['tokens unknown']
			: [`${promptTokens ?? 'unknown'} in`, `${completionTokens ?? 'unknown'} out`];
	const first =
		turn.firstTextAt === null ? [] : [`first word ${durationText(turn.firstTextAt - turn.askedAt)}`];
	return [name, ...tokens, ...first].join(SEPARATOR) + endText(turn.finishReason);
};

/** Advice on how to shorten a conversation that exceeds the model's context. */
const DROP =
	'/edit removes attachments from the question, /compact replaces the earlier turns with a summary, /new starts a new conversation.';
const FOLDED = 'sent instead of all earlier turns; /edit changes it, /compact undoes it';

const STOPPED = 'stopped; the part received is kept';

const endRows = (turn: Turn, {width, models}: TurnOptions): string[] => {
	const margin = marginOf(width);
	const name = label(modelName({models}, turn.model), 40);
	const wrapped = (text: string): string[] => wrap(label(text, 600), proseOf(width));
	const said = (role: 'dim' | 'busy', text: string): string[] =>
		wrapped(text).map(row => margin + paint(role, row));
	const failure =
		turn.failure === null
			? turn.notes === null
				? []
				: wrapped(turn.notes).map(line => margin + paint('bad', line))
			: [
					...wrapped(explainFailure(turn.failure).what).map(line => margin + paint('bad', line)),
					...wrap(
						`${label(turn.failure.kind === 'assistant' && isContextFull(turn.failure.message) ? DROP : explainFailure(turn.failure).next, 600)} ${callDetailsHint(turn.failure, 'always.evidence')}`.trimEnd(),
						proseOf(width),
					).map(line => margin + line),
				];
	const leftOut = turn.leftOut === '' ? [] : said('busy', turn.leftOut);
	switch (turn.state) {
		case 'waiting':
			return said('dim', `${name} …`);
		case 'streaming':
			return [];
		case 'done':
			return [
				...said('dim', usageText(turn, name)),
				...leftOut,
				...(isSummary(turn) ? said('busy', FOLDED) : []),
			];
		case 'stopped':
			return said(
				'busy',
				`${name}${SEPARATOR}${turn.answer === '' ? 'stopped before any text arrived' : STOPPED}`,
			);
		case 'cut':
			return said(
				'busy',
				`${name}${SEPARATOR}the program ended before the answer did; the part received is kept`,
			);
		case 'incomplete':
			return [...failure, ...said('busy', `${name}${SEPARATOR}the answer is not complete`), ...leftOut];
		case 'failed':
			return failure;
	}
};

/** Rows about the end of an answer, below a blank row if there is an answer. */
const endBelow = (turn: Turn, options: TurnOptions): string[] => {
	const rows = endRows(turn, options);
	return turn.answer === '' || rows.length === 0 ? rows : ['', ...rows];
};

const finished = paintedCache<Turn, {readonly options: TurnOptions; readonly block: TurnBlock}>();

/** An answer as rows of at most `width` cells, with its outcome. */
export const answerLines = (turn: Turn, options: TurnOptions): readonly string[] => [
	...thinkingRows(turn, options),
	...(turn.answer === '' ? [] : answerOf(turn, options).lines),
	...endBelow(turn, options),
];

/** A turn as rows of at most `width` cells. A finished turn is laid out once per width. */
export const turnBlock = (turn: Turn, options: TurnOptions): TurnBlock => {
	const known = finished.get(turn);
	if (known !== undefined && areSame(known.options, options)) return known.block;
	const {width} = options;
	const head = [...questionRows(turn, width), '', ...thinkingRows(turn, options)];
	const answer = turn.answer === '' ? {lines: [], codes: [], final: 0} : answerOf(turn, options);
	const lines = [...head, ...answer.lines, ...endBelow(turn, options)];
	if (turn.replaced) {
		const why = turn.question === SUMMARY_QUESTION ? 'not sent' : 'asked again below; no longer sent';
		lines.push(marginOf(width) + paint('dim', why));
	}
	const made = {
		lines,
		codes: answer.codes.map(code => ({
			...code,
			row: code.row + head.length,
			isWhole: !isAnswering(turn) || code.row + code.rows <= answer.final,
		})),
	};
	if (!isAnswering(turn)) finished.set(turn, {options, block: made});
	return made;
};
