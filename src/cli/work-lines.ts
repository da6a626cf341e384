import {block, label} from '../text/safe.ts';
import {taskChanges, changeText} from '../work/task-changes.ts';
import type {WorkEvent} from '../work/events.ts';
import {nextAction, type Task, type TaskStep} from '../work/task.ts';
import {stepLine} from '../work/step-text.ts';
import type {Context} from './context.ts';
import {printJson} from './print.ts';

/** Step for JSON output. `output`: text that it printed, read or listed. */
const jsonOfStep = ({number, step, state, seconds, result, change}: TaskStep): object => ({
	step: number,
	kind: step.kind,
	...('path' in step && {path: step.path}),
	...('code' in step && {code: step.code}),
	state,
	seconds,
	result: result?.head ?? null,
	output: result?.text ?? null,
	...(change !== null && {isNew: change.before === null}),
});

const OVER: ReadonlySet<string> = new Set(['done', 'failed', 'refused', 'skipped', 'unknown']);

/** End of a task for JSON output. */
const jsonOfEnd = ({phase, says, spent, steps}: Task): object => ({
	end: phase,
	says,
	steps: spent.steps,
	seconds: spent.seconds,
	estimatedTokens: spent.tokens,
	changed: [...new Set(steps.flatMap(({took, change}) => (took && change ? [change.path] : [])))],
});

/** Prints each step in one line once the step has ended. At last prints the end of the task. */
export const createWorkPrinter = (context: Context) => {
	const printed = new Set<number>();
	const values: object[] = [];
	let written = Promise.resolve();
	const print = (value: object, text: string): void => {
		if (context.json && !context.jsonl) values.push(value);
		else
			written = written.then(() => (context.jsonl ? printJson(context, value) : context.stdout.write(text)));
		// `end` reports the failure. Without this handler, an early rejection would end the
		// process.
		written.catch(() => {});
	};
	return {
		note(task: Task, event: WorkEvent): void {
			if (event.type === 'answer' && nextAction(task).do === 'ask-model')
				print({answer: 'unread', says: task.messages.at(-1)?.content ?? ''}, 'answer · no readable step\n');
			for (const step of task.steps) {
				if (printed.has(step.number) || !OVER.has(step.state)) continue;
				printed.add(step.number);
				if (step.step.kind !== 'done' && step.step.kind !== 'give-up')
					print(jsonOfStep(step), `${label(stepLine(step), 400)}\n`);
			}
		},
		changes(task: Task): void {
			for (const change of taskChanges(task)) {
				const {path, before} = change;
				const text = changeText(change);
				const head = `--- ${before === null ? 'nothing' : label(path, 400)}\n+++ ${label(path, 400)}\n`;
				print({changed: path, isNew: before === null, diff: text}, head + block(text));
			}
		},
		async end(task: Task): Promise<void> {
			const word =
				{asked: 'asks', 'gave-up': 'gave up', stopped: 'stopped', done: 'done'}[task.phase as string] ??
				task.phase;
			const says = task.says
				.split('\n')
				.map(line => label(line, 2000))
				.join('\n');
			print(jsonOfEnd(task), `${word}${says === '' ? '' : `: ${says}`}\n`);
			await written;
			if (context.json && !context.jsonl) await printJson(context, values);
		},
	};
};
