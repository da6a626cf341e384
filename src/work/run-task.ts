import type {Message} from '../contract/assistant.ts';
import type {WorkEvent} from './events.ts';
import type {StepExecutor, PreparedStep} from './step-executor.ts';
import type {Decision} from './permission.ts';
import {nextAction, applyEvent, type Task, type TaskStep} from './task.ts';

/** What a task needs of the world. */
export type TaskPorts = {
	/** One answer of the model; `says`: why there is none. */
	ask(
		messages: readonly Message[],
		signal: AbortSignal,
	): Promise<{readonly content: string; readonly complete: boolean} | {readonly says: string}>;
	/** The person's word on a step, of which they see all that it does. */
	permit(
		step: TaskStep,
		prepared: PreparedStep,
		signal: AbortSignal,
	): Promise<{readonly decision: Decision; readonly says: string}>;
	/** The person's answer to a question; null: there is nobody, or they do not want to. */
	reply(question: string, signal: AbortSignal): Promise<string | null>;
	readonly hands: StepExecutor;
	/** Keeps an event before what it tells of is done. What it throws stops the task: what is not kept is not done. */
	keep(event: WorkEvent): void;
	onChange(task: Task, event: WorkEvent): void;
	/** ms since the epoch. */
	now(): number;
};

/** `soon`: after the step that runs; `now`: that is interrupted too. */
export type StopRequest = {readonly soon: AbortSignal; readonly now: AbortSignal};

/** Distributes over the events. */
type Untimed<Event> = Event extends WorkEvent ? Omit<Event, 'at'> : never;

/** Carries a task on until it ends, has a question that nobody answers, or is stopped. What a port throws is thrown, after the journal. */
export const runTask = async (begun: Task, ports: TaskPorts, stops: StopRequest): Promise<Task> => {
	let task = begun;
	const tell = (what: Untimed<WorkEvent>): void => {
		const event = {...what, at: ports.now()} as WorkEvent;
		const after = applyEvent(task, event);
		// What the task does not take must not be done.
		if (after === null || after === task) throw new Error(`A task cannot take "${event.type}" now.`);
		ports.keep(event);
		task = after;
		ports.onChange(task, event);
	};
	const stop = AbortSignal.any([stops.soon, stops.now]);
	/** With the time that the task has left. */
	const within = (signal: AbortSignal): AbortSignal => {
		const left = Math.max(0, task.limits.seconds - task.spent.seconds) * 1000;
		return AbortSignal.any([signal, AbortSignal.timeout(Math.min(Math.ceil(left), 0x7fff_ffff))]);
	};

	/** Begins a step that may begin, and carries it out. */
	const carryOut = async ({step, number}: TaskStep, prepared: PreparedStep): Promise<void> => {
		tell({type: 'begin', number, change: prepared.change});
		tell({type: 'end', number, ...(await ports.hands.perform(step, prepared, within(stops.now)))});
	};

	/** One more thing; false: there is nothing more to do. */
	const goOn = async (): Promise<boolean> => {
		const next = nextAction(task);
		switch (next.do) {
			case 'nothing':
				return false;
			case 'ask-model': {
				const answer = await ports.ask(next.messages, within(stop));
				if (!stop.aborted)
					tell('says' in answer ? {type: 'no-answer', says: answer.says} : {type: 'answer', ...answer});
				return true;
			}
			case 'ask-person': {
				const text = await ports.reply(next.question, stop);
				if (text === null || stop.aborted) return false;
				tell({type: 'reply', text});
				return true;
			}
			default: {
				const {number} = next.step;
				const prepared = await ports.hands.prepare(next.step.step, within(stop));
				if (stop.aborted) return true;
				if ('cannot' in prepared) tell({type: 'cannot', number, ...prepared.cannot});
				else if (next.do === 'run') await carryOut(next.step, prepared);
				else {
					const {decision, says} = await ports.permit(next.step, prepared, stop);
					if (stop.aborted) return true;
					tell({type: 'decide', number, decision, says});
					if (decision !== 'no' && nextAction(task).do === 'run') await carryOut(next.step, prepared);
				}
				return true;
			}
		}
	};

	while (!stop.aborted) if (!(await goOn())) return task;
	if (nextAction(task).do !== 'nothing') tell({type: 'stop'});
	return task;
};
