import type {CellOutput} from '../../contract/cells.ts';
import type {Usage} from '../../contract/assistant.ts';
import type {Cell} from './cell.ts';
import {fenced} from '../../text/markdown/fence.ts';
import {joined} from '../../text/output/multiline.ts';
import {fieldsOf} from '../../text/record.ts';

/** Of a question and its answer, what a file tells. */
type Turn = {
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

const JSON_TYPE = /^application\/(?:.*\+)?json$/;

/** Media types whose data nbformat takes as it is, all others as text. */
const bundleOf = (data: unknown): Record<string, unknown> =>
	Object.fromEntries(
		Object.entries(fieldsOf(data)).map(([type, value]) => [
			type,
			JSON_TYPE.test(type)
				? value
				: typeof value === 'string' || (Array.isArray(value) && value.every(each => typeof each === 'string'))
					? value
					: JSON.stringify(value),
		]),
	);

const count = (value: unknown): number | null =>
	typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null;

/** An output as nbformat 4 wants it: its own fields and no others. A kind that it does not know is kept as JSON. */
const outputOf = (output: CellOutput): Record<string, unknown> => {
	const metadata = fieldsOf(output['metadata']);
	switch (output.output_type) {
		case 'stream':
			return {
				output_type: 'stream',
				name: output['name'] === 'stderr' ? 'stderr' : 'stdout',
				text: joined(output['text']),
			};
		case 'execute_result':
			return {
				output_type: 'execute_result',
				execution_count: count(output['execution_count']),
				data: bundleOf(output['data']),
				metadata,
			};
		case 'display_data':
			return {output_type: 'display_data', data: bundleOf(output['data']), metadata};
		case 'error':
			return {
				output_type: 'error',
				ename: joined(output['ename']),
				evalue: joined(output['evalue']),
				traceback: Array.isArray(output['traceback'])
					? output['traceback'].map(line => joined(line))
					: [joined(output['traceback'])],
			};
		default:
			return {output_type: 'display_data', data: {'application/json': output}, metadata: {}};
	}
};

const iso = (at: number): string => new Date(at).toISOString();

const codeCell = (cell: Cell, id: string): Record<string, unknown> => {
	const outputs = (cell.result?.outputs ?? []).map(outputOf);
	if (cell.failure !== null)
		outputs.push({
			output_type: 'error',
			ename: cell.failure.kind,
			evalue: cell.failure.message,
			traceback: [cell.failure.message],
		});
	const execution = {
		...(cell.startedAt !== null && {'iopub.execute_input': iso(cell.startedAt)}),
		...(cell.endedAt !== null && {'shell.execute_reply': iso(cell.endedAt)}),
	};
	return {
		cell_type: 'code',
		id,
		metadata: {execution},
		source: cell.source,
		execution_count: count(cell.result?.execution_count),
		outputs,
	};
};

const questionText = ({question}: Turn): string => `**Question**\n\n${question}`;
const answerText = ({model, answer, state, usage}: Turn): string =>
	`**Answer** of ${model}${state === 'done' ? '' : `, ${state}`}${usage ? `, ${usage.promptTokens ?? 'n/a'} tokens in, ${usage.completionTokens ?? 'n/a'} out` : ''}\n\n${answer}`;

const markdownCell = (source: string, id: string): Record<string, unknown> => ({
	cell_type: 'markdown',
	id,
	metadata: {},
	source,
});

const asNotebook = (session: Session): string => {
	const cells = inOrder(session).flatMap((item, index) =>
		'cell' in item
			? [codeCell(item.cell, `cell-${index + 1}`)]
			: [
					markdownCell(questionText(item.turn), `question-${index + 1}`),
					markdownCell(answerText(item.turn), `answer-${index + 1}`),
				],
	);
	return `${JSON.stringify(
		{
			cells,
			metadata: {
				kernelspec: {display_name: session.kernel, name: session.kernel},
				...(session.kernel.startsWith('python') && {language_info: {name: 'python'}}),
			},
			nbformat: 4,
			nbformat_minor: 5,
		},
		null,
		1,
	)}\n`;
};

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
