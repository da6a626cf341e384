import {label} from '../../text/safe.ts';
import {fenced} from '../../text/markdown/fence.ts';
import {budgetText} from '../../work/budget.ts';
import {cellCount} from '../../work/cells.ts';
import {taskChanges, changeText, changeSummary} from '../../work/task-changes.ts';
import {KINDS} from '../../work/permission.ts';
import {cutMiddle} from '../../work/results.ts';
import type {Task, TaskStep} from '../../work/task.ts';
import {stepLine, stepTitle} from '../../work/step-text.ts';
import {withoutEnd} from '../../text/ends.ts';

/** Longest shown code or output, in UTF-16 units. */
const LONGEST = 4000;
/** Maximum number of output lines that are shown for a running step. */
const PRINTED = 5;

const inCode = (text: string): string => `\`${text.replaceAll('`', "'").replaceAll(/\s+/g, ' ')}\``;

/** Line about a step: its title as code, and its result. */
const lineOf = (step: TaskStep, decideKey: string | null): string => {
	const title = stepTitle(step.step);
	const state =
		decideKey === null
			? stepLine(step).slice(title.length + 3)
			: `**waits for your permission: ${decideKey} shows it**`;
	return `- ${inCode(title)} · ${label(state, 300)}`;
};

const partsOf = ({step, result}: TaskStep): readonly string[] => {
	const code =
		'code' in step
			? [fenced(cutMiddle(step.code, LONGEST), step.kind === 'run' ? 'python' : 'sh')]
			: step.kind === 'write'
				? [fenced(cutMiddle(step.text, LONGEST))]
				: step.kind === 'edit'
					? step.edits.map(({find, replace}) => fenced(cutMiddle(`${find}=======\n${replace}`, LONGEST)))
					: [];
	return [...code, ...(result?.text ? [fenced(cutMiddle(result.text, LONGEST))] : [])];
};

/** The last output lines of the running step. */
const printedText = (text: string): readonly string[] => {
	const lines = withoutEnd(text.slice(-LONGEST), '\n').split('\n').slice(-PRINTED);
	return lines.join('') === '' ? [] : [fenced(lines.join('\n'))];
};

/** Text about the permissions of the task. */
const mayText = ({grants}: Task): string => {
	const kinds = KINDS.flatMap(kind => {
		const folders = grants.filter(grant => grant.kind === kind).map(({folder}) => folder);
		if (kind === 'read' || folders.length === 0) return [];
		if (folders.includes(null)) return [kind];
		return [`${kind} in ${[...new Set(folders)].map(folder => inCode(`${folder}/`)).join(' and ')}`];
	});
	const more = kinds.length === 0 ? '' : `; allowed for this task: ${kinds.join(', ')}`;
	return `It may read and list${more}. Everything else needs permission.`;
};

/** A line for each changed file, followed by its diff if `isOpen`. */
const changedText = (task: Task, isOpen: boolean): readonly string[] => {
	const changes = taskChanges(task);
	if (changes.length === 0) return [];
	const lines = changes.map(change => {
		const line = `- ${inCode(change.path)} · ${changeSummary(change)}`;
		return isOpen ? `${line}\n\n${fenced(cutMiddle(changeText(change), LONGEST), 'diff')}` : line;
	});
	return [
		isOpen ? 'Changed; `/undo` reverts it:' : 'Changed; `/steps` shows how, `/undo` reverts it:',
		lines.join(isOpen ? '\n\n' : '\n'),
	];
};

const cellsText = (task: Task): readonly string[] => {
	const count = cellCount(task);
	if (count === 0) return [];
	const [cells, them] = count === 1 ? ['1 cell', 'it'] : [`${count} cells`, 'them'];
	return [`It ran ${cells}: \`/cells\` puts ${them} into a notebook.`];
};

const endText = (task: Task, isOpen: boolean): readonly string[] => {
	const {phase, says} = task;
	const left = [...changedText(task, isOpen), ...cellsText(task)];
	switch (phase) {
		case 'done':
			return [`**Done.** ${says}`, ...left];
		case 'gave-up':
			return [`**It gave up.** ${says}`, ...left];
		case 'stopped':
			return ['**Stopped.**', ...left];
		case 'asked':
			return [`**It asks:** ${says}`];
		default:
			return [];
	}
};

/**
 * A task as markdown: one line per step, or every detail if `isOpen`. `decideKey`: key that shows
 * the step that waits for permission; null if no step waits. `printed`: output of the running step
 * so far.
 */
export const workText = (
	task: Task,
	{
		goesOn = false,
		isOpen,
		decideKey,
		printed = '',
	}: {
		readonly goesOn?: boolean;
		readonly isOpen: boolean;
		readonly decideKey: string | null;
		readonly printed?: string;
	},
): string => {
	const next = task.steps.find(({state}) => state === 'waiting');
	const steps = task.steps
		.filter(
			({step}) =>
				step.kind !== 'done' &&
				step.kind !== 'give-up' &&
				!(step.kind === 'ask' && step.text === task.says && task.phase === 'asked'),
		)
		.map(step =>
			[lineOf(step, step === next ? decideKey : null), ...(isOpen ? partsOf(step) : [])].join('\n\n'),
		);
	return [
		...(goesOn ? [`Resuming ${inCode(task.goal)}. Started steps are not repeated.`] : []),
		...(steps.length === 0 ? [] : [steps.join(isOpen ? '\n\n' : '\n')]),
		...printedText(printed),
		...(task.phase === 'answering' ? ['The model answers …'] : []),
		...endText(task, isOpen),
		`${budgetText(task.spent, task.limits)}. ${mayText(task)}`,
	].join('\n\n');
};
