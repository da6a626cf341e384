// Announces changes since the last state: notices, the connection, server states, cell output and
// answers. Each is announced once.
import {explainFailure, type Failure} from '../../api/failure.ts';
import {label, block} from '../../text/safe.ts';
import {conversationOf, type Turn} from '../../tui/assistant/conversation.ts';
import type {State} from '../../tui/core/program.ts';
import {screenSpec} from '../../tui/core/features.ts';
import {hasRaised, isPending, type Cell} from '../../tui/cells/cell.ts';
import {replOf} from '../../tui/repl/transcript.ts';
import {CELL_STATE_WORDS} from '../../tui/cells/rows/state-words.ts';
import {outputOfCell} from '../../tui/cells/cell-text.ts';
import {endSentence} from '../../text/sentence.ts';

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const linesOf = (text: string): readonly string[] => {
	const lines = text.split('\n');
	return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
};

/** Maximum number of lines per announcement. */
const MOST = 1000;
const someOf = (lines: readonly string[]): readonly string[] =>
	lines.length <= MOST
		? lines
		: [...lines.slice(0, MOST), `… and ${counted(lines.length - MOST, 'more line')}.`];

/** Lines that repeat submitted text. Empty if the user's input line already shows the text. */
type Echo = (mark: string, text: string) => readonly string[];

/** State of a cell, as the end of a sentence. */
export const stateText = (cell: Cell): string =>
	hasRaised(cell) && (cell.state === 'done' || cell.state === 'failed')
		? 'raised an error'
		: CELL_STATE_WORDS[cell.state].sentence;

type SpokenCell = {readonly state: Cell['state']; readonly output: string; readonly isCut: boolean};

/**
 * Lines of a cell's output that were not announced yet: complete lines while the cell runs, the
 * rest at its end. Output that redraws itself is announced only at the end.
 */
const cellNews = (
	cell: Cell,
	number: number,
	spoken: SpokenCell | undefined,
	echo: Echo,
): {lines: string[]; now: SpokenCell} => {
	const output = outputOfCell(cell);
	const isOver = !isPending(cell);
	const before = spoken?.output ?? '';
	const goesOn = output.startsWith(before) && spoken?.isCut !== true;
	const whole = isOver ? output : output.slice(0, output.lastIndexOf('\n') + 1);
	const lines: string[] = [];
	if (spoken === undefined) lines.push(...echo('>>> ', cell.source));
	if (cell.state === 'running' && spoken?.state !== 'running')
		lines.push(`Cell ${number} ${stateText(cell)}.`);
	if (goesOn && whole.length > before.length) lines.push(...someOf(linesOf(whole.slice(before.length))));
	if (!goesOn && isOver) lines.push('Full output:', ...someOf(linesOf(output)));
	if (isOver && (spoken === undefined || isPending({...cell, state: spoken.state}))) {
		const gave = cell.state === 'done' && output === '' ? ', without output' : '';
		const why = cell.failure === null ? '' : `: ${label(cell.failure.message, 400)}`;
		lines.push(`Cell ${number} ${stateText(cell)}${endSentence(gave + why)}`);
	}
	return {lines, now: {state: cell.state, output: goesOn ? whole : before, isCut: !goesOn}};
};

const turnNews = (turn: Turn, spoken: Turn['state'] | undefined, echo: Echo): readonly string[] => {
	const {state, answer, failure, model, question} = turn;
	if (state === spoken) return [];
	if (state === 'waiting')
		return [
			...echo('> ', question),
			`Sent to ${label(model, 60)}. The answer will be read out when complete.`,
		];
	if (state === 'streaming' || (spoken !== 'waiting' && spoken !== 'streaming')) return [];
	const lines = linesOf(block(answer));
	const how =
		state === 'done'
			? 'finished'
			: state === 'stopped'
				? 'stopped'
				: state === 'failed'
					? 'failed'
					: 'was cut off';
	const why = failure === null ? '' : `: ${label(failure.message, 400)}`;
	return [`Answer ${how}, ${counted(lines.length, 'line')}${endSentence(why)}`, ...someOf(lines)];
};

/**
 * Returns a function that lists the changes in each new state. Does not announce the first state
 * and cells of earlier programs. `wasTyped`: true if the user's input line already shows this line.
 */
export const createAnnouncer = (
	wasTyped: (line: string) => boolean,
): ((state: State) => readonly string[]) => {
	const echo: Echo = (mark, text) => {
		const lines = linesOf(block(text));
		return wasTyped(lines.at(-1) ?? '') ? [] : lines.map(line => mark + line);
	};
	let notice = 0;
	let connection = '';
	let server = '';
	/** Latest announced lines. A server state that they contain is not repeated. */
	let recent: readonly string[] = [];
	let problem: Failure | undefined;
	const servers = new Map<string, string>();
	const cells = new Map<number, SpokenCell>();
	const turns = new Map<number, Turn['state']>();
	let question = '';
	return state => {
		const lines: string[] = [];
		for (const {id, text, kind} of state.notices)
			if (id > notice) lines.push(`${kind === 'bad' ? 'Problem: ' : ''}${label(text, 800)}`);
		notice = state.notices.at(-1)?.id ?? notice;
		recent = [...recent, ...lines].slice(-4);
		const failure = screenSpec(state.screen).failure?.(state, state.current ?? '') ?? undefined;
		if (failure !== undefined && failure.message !== problem?.message) {
			const {what, next} = explainFailure(failure);
			lines.push(`Problem: ${label(what, 400)} ${label(next, 400)}`);
		}
		problem = failure;

		const {connection: way} = state;
		const words =
			way.status === 'ready'
				? `Connected to ${label(state.serviceName, 60)}.`
				: way.status === 'failed'
					? `${way.what} ${way.next}`
					: `${way.doing}.`;
		if (words !== connection) lines.push(label(words.slice(0, 1).toUpperCase() + words.slice(1), 800));
		connection = words;

		for (const {name, status} of state.servers.value?.items ?? []) {
			const before = servers.get(name);
			servers.set(name, status);
			const news = `${label(name, 60)} is ${label(status, 24) || 'in an unknown state'}`;
			if (before !== undefined && before !== status && !recent.some(each => each.startsWith(news)))
				lines.push(`${news}.`);
		}

		const current = state.current ?? '';
		const repl = replOf(state, current);
		const conversation = conversationOf(state, current);
		const isOther = current !== server;
		server = current;
		if (isOther) {
			cells.clear();
			turns.clear();
		}
		for (const [index, cell] of repl.cells.entries()) {
			const spoken = cells.get(cell.id);
			if (spoken === undefined && (isOther || cell.earlier !== null) && !isPending(cell)) {
				cells.set(cell.id, {state: cell.state, output: outputOfCell(cell), isCut: false});
				continue;
			}
			if (spoken !== undefined && !isPending({...cell, state: spoken.state})) continue;
			const news = cellNews(cell, index + 1, spoken, echo);
			lines.push(...news.lines);
			cells.set(cell.id, news.now);
		}
		const asks = repl.asks === null ? '' : `${repl.asks.cell} ${repl.asks.question.prompt}`;
		if (asks !== question && repl.asks !== null)
			lines.push(`The cell asks for input: ${label(repl.asks.question.prompt, 400)}`);
		question = asks;
		for (const turn of conversation.turns) {
			if (!isOther) lines.push(...turnNews(turn, turns.get(turn.id), echo));
			turns.set(turn.id, turn.state);
		}
		return lines;
	};
};
