import {explainFailure} from '../../../store/remote.ts';
import {isAnswering, type Turn} from '../../../store/assistant.ts';
import {block, label} from '../../../text/safe.ts';
import {wrap} from '../../../text/wrap.ts';
import {durationText} from '../../components/age.ts';
import {glyph} from '../../theme/glyphs.ts';
import {paint} from '../../theme/theme.ts';

const BAR = ` ${glyph.answer} `;
const WHO = ' you   ';

const question = (turn: Turn, width: number): string[] => {
	const room = width - WHO.length - 1;
	const carried = turn.carried.filter(({mention}) => !turn.question.includes(mention)).map(({mention}) => label(mention, 120)).join('  ');
	const rows = block(turn.question).split('\n').flatMap(line => wrap(line, room)).map(row => paint(turn.replaced ? 'dim' : 'own', row));
	if (carried !== '') rows.push(...wrap(carried, room).map(row => paint('dim', row)));
	return rows.map((row, index) => (index === 0 ? paint('accent', WHO) : ' '.repeat(WHO.length)) + row);
};

type Laid = {readonly text: string; readonly width: number; readonly lines: readonly string[]; readonly open: number};
const laid = new Map<number, Laid>();

/** Layouts of the turns on screen and a few more are kept. */
const KEPT = 200;

/**
 * The rows of an answer. While it grows only its last line is laid out again: all lines before the last newline are final.
 * `open` is where that last line begins in the text.
 */
const answerRows = (turn: Turn, width: number): readonly string[] => {
	const known = laid.get(turn.id);
	if (known?.width === width && known.text === turn.answer) return known.lines;
	const grown = known?.width === width && turn.answer.startsWith(known.text) ? known : undefined;
	const closed = grown ? grown.lines.slice(0, grown.lines.length - wrap(block(grown.text.slice(grown.open)), width - BAR.length).length) : [];
	const from = grown?.open ?? 0;
	const rows = block(turn.answer.slice(from)).split('\n').flatMap(line => wrap(line, width - BAR.length));
	const lines = [...closed, ...rows.map(row => paint('accent', BAR) + row)];
	laid.delete(turn.id);
	laid.set(turn.id, {text: turn.answer, width, lines, open: turn.answer.lastIndexOf('\n') + 1});
	const oldest = laid.keys().next().value;
	if (laid.size > KEPT && oldest !== undefined) laid.delete(oldest);
	return lines;
};

const usageText = (turn: Turn): string => {
	const tokens = turn.usage ? `${turn.usage.promptTokens ?? 'n/a'} tokens in, ${turn.usage.completionTokens ?? 'n/a'} out` : 'tokens n/a';
	const first = turn.firstTextAt === null ? '' : `, first text ${durationText(turn.firstTextAt - turn.askedAt)}`;
	return `${label(turn.model, 40)}   ${tokens}${first}`;
};

const endRows = (turn: Turn, width: number): string[] => {
	const wrapped = (text: string): string[] => wrap(label(text, 600), width - BAR.length);
	const failure = turn.failure === null ? [] : [
		...wrapped(explainFailure(turn.failure).what).map(line => `   ${paint('bad', line)}`),
		...wrapped(explainFailure(turn.failure).next).map(line => `   ${line}`),
	];
	switch (turn.state) {
		case 'waiting': return [`   ${paint('dim', `${label(turn.model, 40)} …`)}`];
		case 'streaming': return [];
		case 'done': return [`   ${paint('dim', usageText(turn))}`];
		case 'stopped': return [`   ${paint('busy', turn.answer === '' ? 'stopped before anything came' : 'stopped; the part received is kept')}`];
		case 'cut': return [`   ${paint('busy', 'the program ended before the answer did; the part received is kept')}`];
		case 'incomplete': return [...failure, `   ${paint('busy', 'the answer is not complete')}`];
		case 'failed': return failure;
	}
};

const finished = new WeakMap<Turn, {readonly width: number; readonly lines: readonly string[]}>();

/** A turn as rows of at most `width` cells. A finished one is laid out once per width. */
export const turnLines = (turn: Turn, width: number): readonly string[] => {
	const known = finished.get(turn);
	if (known?.width === width) return known.lines;
	const answer = turn.answer === '' ? [] : answerRows(turn, width);
	const replaced = turn.replaced ? [`   ${paint('dim', 'asked again below; not sent any more')}`] : [];
	const lines = [...question(turn, width), '', ...answer, ...endRows(turn, width), ...replaced, ''];
	if (!isAnswering(turn)) finished.set(turn, {width, lines});
	return lines;
};
