import {newCellFromRun, type NewCell} from '../text/notebook/edit.ts';
import type {WorkEvent} from './events.ts';
import type {Task} from './task.ts';

type Steps = Pick<Task, 'steps'>;

/** Steps that started in the server's kernel. */
const ran = ({steps}: Steps): Task['steps'] =>
	steps.filter(({step, startedAt}) => step.kind === 'run' && startedAt !== null);

export const cellCount = (task: Steps): number => ran(task).length;

/** Cells that a task ran, in order, with their saved outputs, else the text that the model read. */
export const cellsOf = (task: Steps, events: readonly WorkEvent[]): readonly NewCell[] =>
	ran(task).map(({number, step, startedAt, seconds}) => {
		const end = events.find(event => event.type === 'end' && event.number === number);
		const {cell, text} = end?.type === 'end' ? end : {cell: undefined, text: null};
		const read = text === null ? [] : [{output_type: 'stream', name: 'stdout', text}];
		return newCellFromRun({
			source: 'code' in step ? step.code.replace(/\n$/, '') : '',
			outputs: cell?.outputs ?? read,
			count: cell?.count ?? null,
			startedAt,
			endedAt: startedAt === null || seconds === null ? null : startedAt + seconds * 1000,
		});
	});
