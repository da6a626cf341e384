import type {Usage} from '../../contract/assistant.ts';
import type {Cell} from '../cells/cell.ts';
import {fenced} from '../../text/markdown/fence.ts';
import {newNotebook} from '../../text/notebook/new-notebook.ts';
import type {Output} from '../../text/notebook/notebook.ts';
import {newCellFromRun, type NewCell} from '../../text/notebook/edit.ts';
import {notebookText} from '../../text/notebook/serialize.ts';

/** Of a question and its answer, what a file tells. */
export type Turn = {
	readonly question: string;
	readonly model: string;
	readonly answer: string;
	readonly state: string;
	readonly usage: Usage | null;
	readonly askedAt: number;
	readonly replaced: boolean;
};

/** Cells and, where wanted, questions and answers: in the order in which they were asked for. */
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
		// A cell that was never sent stands where it was handed in.
		at = Math.max(at, cell.startedAt ?? cell.earlier?.at ?? at);
		return {at, cell};
	});
	return [...timed, ...turns.filter(turn => !turn.replaced).map(turn => ({at: turn.askedAt, turn}))].sort(
		(one, other) => one.at - other.at,
	);
};

/** A cell with what came of it, as one of a notebook. */
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

/** Cells divided by `# %%`, which editors run one by one. */
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

/** A session as a file of this format. `textOf` gives what a cell printed and gave. */
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
