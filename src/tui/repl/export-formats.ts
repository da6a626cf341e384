import type {Usage} from '../../contract/assistant.ts';
import type {Cell} from '../cells/cell.ts';
import {fenced} from '../../text/markdown/fence.ts';
import {newNotebook} from '../../text/notebook/new-notebook.ts';
import type {Output} from '../../text/notebook/notebook.ts';
import {newCellFromRun, type NewCell} from '../../text/notebook/edit.ts';
import {notebookText} from '../../text/notebook/serialize.ts';

/** The parts of a question and its answer that an exported file contains. */
export type Turn = {
	readonly question: string;
	readonly model: string;
	readonly answer: string;
	readonly state: string;
	readonly usage: Usage | null;
	readonly askedAt: number;
	readonly replaced: boolean;
};

/** Cells to export and, if requested, the turns of the conversation, each in order of time. */
export type Session = {
	readonly cells: readonly Cell[];
	readonly turns: readonly Turn[];
	readonly kernel: string;
};

export type NotebookFormat = 'ipynb' | 'py' | 'md';
export const NOTEBOOK_FORMATS = ['ipynb', 'py', 'md'] as const satisfies readonly NotebookFormat[];

type Item = {readonly at: number} & ({readonly cell: Cell} | {readonly turn: Turn});

const inOrder = ({cells, turns}: Session): readonly Item[] => {
	let at = 0;
	const timed: readonly Item[] = cells.map(cell => {
		// A cell that was never sent is sorted by the time when the user submitted it.
		at = Math.max(at, cell.startedAt ?? cell.earlier?.at ?? at);
		return {at, cell};
	});
	return [...timed, ...turns.filter(turn => !turn.replaced).map(turn => ({at: turn.askedAt, turn}))].sort(
		(one, other) => one.at - other.at,
	);
};

/** Converts a cell with its outputs to a notebook cell. */
export const toNewCell = (cell: Cell): NewCell => {
	const {failure, startedAt, endedAt, result, source} = cell;
	const failed = failure && {
		output_type: 'error',
		ename: failure.kind,
		evalue: failure.message,
		traceback: [failure.message],
	};
	return newCellFromRun({
		source,
		outputs: [...((result?.outputs ?? []) as readonly Output[]), ...(failed ? [failed] : [])],
		count: result?.execution_count ?? null,
		startedAt,
		endedAt,
	});
};

const questionText = ({question}: Turn): string => `**Question**\n\n${question}`;
const answerText = ({model, answer, state, usage}: Turn): string =>
	`**Answer** of ${model}${state === 'done' ? '' : `, ${state}`}${usage ? `, ${usage.promptTokens ?? 'n/a'} tokens in, ${usage.completionTokens ?? 'n/a'} out` : ''}\n\n${answer}`;

const markdown = (source: string): NewCell => ({kind: 'markdown', source});

const asNotebook = (session: Session): string =>
	notebookText(
		newNotebook(
			session.kernel,
			inOrder(session).flatMap(item =>
				'cell' in item
					? [toNewCell(item.cell)]
					: [markdown(questionText(item.turn)), markdown(answerText(item.turn))],
			),
		),
	);

const commented = (text: string): string =>
	text
		.split('\n')
		.map(line => `# ${line}`.trimEnd())
		.join('\n');

/** Cells separated by `# %%`, which editors run one by one. */
const asPython = (session: Session): string =>
	`${inOrder(session)
		.map(item =>
			'cell' in item
				? `# %%\n${item.cell.source}`
				: `# %% [markdown]\n${commented(`${questionText(item.turn)}\n\n${answerText(item.turn)}`)}`,
		)
		.join('\n\n')}\n`;

const asMarkdown = (session: Session, textOf: (cell: Cell) => string): string =>
	`${inOrder(session)
		.map(item => {
			if ('turn' in item) return `${questionText(item.turn)}\n\n${answerText(item.turn)}`;
			const output = textOf(item.cell);
			return `${fenced(item.cell.source, 'python')}${output === '' ? '' : `\n\n${fenced(output)}`}`;
		})
		.join('\n\n')}\n`;

/** Formats a session as a file. `textOf` returns the printed outputs and the value of a cell. */
export const exported = (
	session: Session,
	format: NotebookFormat,
	textOf: (cell: Cell) => string,
): string => {
	switch (format) {
		case 'ipynb':
			return asNotebook(session);
		case 'py':
			return asPython(session);
		case 'md':
			return asMarkdown(session, textOf);
	}
};
