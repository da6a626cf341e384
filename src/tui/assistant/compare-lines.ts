import type {Comparison, Turn} from './conversation.ts';
import {label} from '../../text/safe.ts';
import {cellWidth, cut, fit} from '../../text/width/width.ts';
import {withScrollMark} from '../core/components/position.ts';
import {glyph} from '../core/theme/glyphs.ts';
import {paint} from '../core/theme/theme.ts';
import {modelName} from './model-name.ts';
import {answerLines, questionRows, type TurnOptions} from './turn-lines.ts';

/** Minimum width of an answer's column, in cells. Below it, only the chosen answer is shown. */
const NARROWEST = 34;
const GAP = 3;
const MOST_QUESTION = 2;

const stateOf = ({state, answer, failure}: Turn): string => {
	if (failure !== null && answer === '') return paint('bad', 'failed');
	switch (state) {
		case 'waiting':
			return paint('dim', 'waits');
		case 'streaming':
			return paint('busy', 'answering');
		case 'done':
			return paint('good', 'complete');
		default:
			return paint('busy', 'incomplete');
	}
};

export type CompareOptions = Omit<TurnOptions, 'raw'> & {readonly height: number};

export type CompareLines = {
	readonly lines: readonly string[];
	/** Number of visible rows of an answer. */
	readonly room: number;
	/** `last`: largest index of the answer's first visible row. `below`: rows below the view. */
	readonly last: number;
	readonly below: number;
	readonly areBeside: boolean;
};

/**
 * The answers of several models: side by side if there is room, else the chosen answer below the
 * names of all models.
 */
export const compareLines = (
	{question, answers, chosen, tops}: Comparison,
	{width, height, engine, showsThinking, models}: CompareOptions,
): CompareLines => {
	const asked = questionRows({question, carried: [], replaced: false}, width - 2);
	const shown = asked
		.slice(0, MOST_QUESTION)
		.map((row, index) => row + (index === MOST_QUESTION - 1 && asked.length > MOST_QUESTION ? ' …' : ''));
	const each = Math.floor((width - 1 - GAP * (answers.length - 1)) / answers.length);
	const areBeside = each >= NARROWEST;
	const columns = areBeside
		? answers.map((turn, at) => ({turn, at, width: each}))
		: answers.flatMap((turn, at) => (at === chosen ? [{turn, at, width: width - 1}] : []));
	const room = Math.max(1, height - shown.length - 2);
	const name = ({model}: Turn, at: number): string =>
		at === chosen
			? paint('own', `${glyph.cursor} ${label(modelName({models}, model), 40)}`)
			: `  ${label(modelName({models}, model), 40)}`;
	let last = 0;
	let below = 0;
	const bodies = columns.map(column => {
		const rows = answerLines(column.turn, {width: column.width, engine, raw: false, showsThinking, models});
		const most = Math.max(0, rows.length - room);
		const from = Math.min(tops[column.at] ?? most, most);
		if (column.at === chosen) {
			last = most;
			below = rows.length - from - room;
		}
		return rows.slice(from, from + room);
	});
	const between = ` ${paint('rule', glyph.divider)} `;
	const joined = (cells: readonly string[]): string =>
		cells
			.map((cell, at) => fit(cell, columns[at]?.width ?? 0))
			.join(between)
			.trimEnd();
	const withStates = areBeside
		? joined(columns.map(({turn, at}) => ` ${name(turn, at)}  ${stateOf(turn)}`))
		: answers.map((turn, at) => ` ${name(turn, at)} ${stateOf(turn)}`).join(' ');
	const heads =
		areBeside || cellWidth(withStates) <= width
			? withStates
			: answers.map((turn, at) => ` ${name(turn, at)}${at === chosen ? ` ${stateOf(turn)}` : ''}`).join('');
	return {
		lines: [
			...shown,
			'',
			cut(heads, width),
			...withScrollMark(
				Array.from({length: room}, (_, row) => joined(bodies.map(body => body[row] ?? ''))),
				{from: last - Math.max(0, below), height: room, count: last + room, width},
			),
		],
		room,
		last,
		below: Math.max(0, below),
		areBeside,
	};
};
