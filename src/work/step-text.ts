import type {Step} from './steps.ts';
import type {TaskStep} from './task.ts';

const linesIn = (text: string): string => {
	const count = text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
	return count === 1 ? '1 line' : `${count.toLocaleString('en')} lines`;
};

/** Text of a step such as `run 12 lines` or `read data/a.csv#L1-20`. Paths are not escaped. */
export const stepTitle = (step: Step): string => {
	switch (step.kind) {
		case 'read':
			return `read ${step.path}${step.from === null ? '' : `#L${step.from}-${step.to ?? step.from}`}`;
		case 'list':
			return `list ${step.path === '' ? '/' : step.path}`;
		case 'run':
			return `run ${linesIn(step.code)}`;
		case 'shell':
			return `shell ${step.code.trim().split('\n', 1)[0]}`;
		case 'write':
			return `write ${step.path}, ${linesIn(step.text)}`;
		case 'edit':
			return `edit ${step.path}, ${step.edits.length === 1 ? '1 place' : `${step.edits.length} places`}`;
		case 'ask':
			return `ask: ${step.text.split('\n', 1)[0]}`;
		case 'done':
		case 'give-up':
			return step.kind;
	}
};

/** State of a step such as `ok`, `failed: raised NameError` or `waits`. */
export const stateText = ({
	state,
	result,
	isUndone,
}: Pick<TaskStep, 'state' | 'result' | 'isUndone'>): string => {
	if (isUndone) return 'undone';
	switch (state) {
		case 'done':
			return 'ok';
		case 'failed':
			return `failed: ${result?.head ?? ''}`;
		case 'refused':
			return `refused: ${result?.head ?? ''}`;
		case 'skipped':
			return 'not carried out';
		case 'unknown':
			return 'outcome unknown';
		case 'running':
			return 'runs';
		default:
			return 'waits';
	}
};

/** A step on one line: `run 12 lines · 0.8 s · ok`. */
export const stepLine = (step: TaskStep): string => {
	const took = step.seconds === null ? [] : [`${step.seconds.toFixed(step.seconds < 10 ? 1 : 0)} s`];
	const isCode = step.step.kind === 'run' || step.step.kind === 'shell';
	const isAnswered = step.step.kind === 'ask' && step.result !== null;
	const state = isAnswered ? `answered: ${step.result?.head}` : stateText(step);
	return [stepTitle(step.step), ...(isCode ? took : []), state].join(' · ');
};
