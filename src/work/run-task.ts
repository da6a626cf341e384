import type {Message} from '../contract/assistant.ts';
import type {WorkEvent} from './events.ts';
import type {StepExecutor, PreparedStep} from './step-executor.ts';
import type {Decision} from './permission.ts';
import {nextAction, applyEvent, type Task, type TaskStep} from './task.ts';

export type TaskPorts = {
	/** Asks the model once. `says`: reason for a missing answer. */
	ask(
		messages: readonly Message[],
		signal: AbortSignal,
	): Promise<{readonly content: string; readonly complete: boolean} | {readonly says: string}>;
	/** Asks the user about a step and shows all its effects. */
	permit(
		step: TaskStep,
		prepared: PreparedStep,
		signal: AbortSignal,
	): Promise<{readonly decision: Decision; readonly says: string}>;
	/** Asks the user a question. Null if there is no user, or no answer. */
	reply(question: string, signal: AbortSignal): Promise<string | null>;
	readonly hands: StepExecutor;
	/** Saves an event before it takes effect. An exception stops the task. */
	keep(event: WorkEvent): void;
	onChange(task: Task, event: WorkEvent): void;
	/** In ms since the epoch. */
	now(): number;
};

/** `soon`: aborted to stop after the running step. `now`: aborted to interrupt that step too. */
export type StopRequest = {readonly soon: AbortSignal; readonly now: AbortSignal};

/** Event without its time. The conditional type applies to each member of the union separately. */
type Untimed<Event> = Event extends WorkEvent ? Omit<Event, 'at'> : never;

/** Runs a task until it ends, waits for the user, or is stopped. Rethrows errors of ports. */
export const runTask = async (initial: Task, ports: TaskPorts, stops: StopRequest): Promise<Task> => {
	let task = initial;
	const record = (what: Untimed<WorkEvent>): void => {
		const event = {...what, at: ports.now()} as WorkEvent;
		const after = applyEvent(task, event);
		// An event that does not apply must have no effect.
		if (after === null || after === task) throw new Error(`A task cannot take "${event.type}" now.`);
		ports.keep(event);
		task = after;
		ports.onChange(task, event);
	};
	const stop = AbortSignal.any([stops.soon, stops.now]);
	/** Limits a signal to the task's remaining time. */
	const within = (signal: AbortSignal): AbortSignal => {
		const left = Math.max(0, task.limits.seconds - task.spent.seconds) * 1000;
		return AbortSignal.any([signal, AbortSignal.timeout(Math.min(Math.ceil(left), 0x7fff_ffff))]);
	};

	const carryOut = async ({step, number}: TaskStep, prepared: PreparedStep): Promise<void> => {
		record({type: 'begin', number, change: prepared.change});
		record({type: 'end', number, ...(await ports.hands.perform(step, prepared, within(stops.now)))});
	};

	/** Takes the next action. False if there is none. */
	const takeAction = async (): Promise<boolean> => {
		const next = nextAction(task);
		switch (next.do) {
			case 'nothing':
				return false;
			case 'ask-model': {
				const answer = await ports.ask(next.messages, within(stop));
				if (!stop.aborted)
					record('says' in answer ? {type: 'no-answer', says: answer.says} : {type: 'answer', ...answer});
				return true;
			}
			case 'ask-person': {
				const text = await ports.reply(next.question, stop);
				if (text === null || stop.aborted) return false;
				record({type: 'reply', text});
				return true;
			}
			default: {
				const {number} = next.step;
				const prepared = await ports.hands.prepare(next.step.step, within(stop));
				if (stop.aborted) return true;
				if ('cannot' in prepared) record({type: 'cannot', number, ...prepared.cannot});
				else if (next.do === 'run') await carryOut(next.step, prepared);
				else {
					const {decision, says} = await ports.permit(next.step, prepared, stop);
					if (stop.aborted) return true;
					record({type: 'decide', number, decision, says});
					if (decision !== 'no' && nextAction(task).do === 'run') await carryOut(next.step, prepared);
				}
				return true;
			}
		}
	};

	while (!stop.aborted) if (!(await takeAction())) return task;
	if (nextAction(task).do !== 'nothing') record({type: 'stop'});
	return task;
};
