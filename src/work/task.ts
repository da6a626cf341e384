import type {Message} from '../contract/assistant.ts';
import {NOTHING_DONE} from '../contract/task-sentences.ts';
import {estimatedTokens, limitReached, NOTHING_SPENT, type Limits, type Spent} from './budget.ts';
import type {Change, EventOf, WorkEvent} from './events.ts';
import {grantOf, isAllowed, type Grant} from './permission.ts';
import {resultsMessage, type Result} from './results.ts';
import {endsAnswer, stepsIn, type Step} from './steps.ts';

/**
 * `permitted`: the user has allowed this step once. `unknown`: the step started, but its outcome is
 * unknown. `skipped`: an earlier step failed.
 */
type StepState = 'waiting' | 'permitted' | 'running' | 'done' | 'failed' | 'refused' | 'skipped' | 'unknown';

export type TaskStep = {
	/** Position in the whole task, from 1. */
	readonly number: number;
	readonly step: Step;
	readonly state: StepState;
	readonly result: Result | null;
	readonly startedAt: number | null;
	/** Null if the step has not started, or if unknown. */
	readonly seconds: number | null;
	/** Planned or actual change of a file. */
	readonly change: Change | null;
	/** True if the step changed a file, or may have done so. */
	readonly took: boolean;
	readonly isUndone: boolean;
};

/**
 * `working`: executes the steps of the last answer. `asked`: waits for the user. In the last three
 * phases the task has ended.
 */
type Phase = 'answering' | 'working' | 'asked' | 'done' | 'stopped' | 'gave-up';

export type Task = {
	readonly server: string;
	readonly model: string;
	readonly goal: string;
	readonly mark: string;
	readonly limits: Limits;
	readonly spent: Spent;
	readonly grants: readonly Grant[];
	/** Messages as sent. The first one contains the task prompt. */
	readonly messages: readonly Message[];
	/** All steps so far, the oldest first. */
	readonly steps: readonly TaskStep[];
	/** Number of the first step in the last answer. */
	readonly from: number;
	readonly phase: Phase;
	/** The model's summary or question, or the reason for giving up. May be empty. */
	readonly says: string;
	/** Consecutive answers without a step. */
	readonly misses: number;
	/** Time of the last event, in ms since the epoch. */
	readonly at: number;
};

/** Answers without a step after which a task gives up. */
const MOST_MISSES = 3;

/** Next action. `permit`: ask the user. */
export type Next =
	| {readonly do: 'ask-model'; readonly messages: readonly Message[]}
	| {readonly do: 'permit' | 'run'; readonly step: TaskStep}
	| {readonly do: 'ask-person'; readonly question: string}
	| {readonly do: 'nothing'};

const isOpen = ({state}: TaskStep): boolean => state === 'waiting' || state === 'permitted';

/** Next open step of the last answer. Undefined if there is none, or while a step runs. */
const current = ({steps, phase}: Task): TaskStep | undefined =>
	phase === 'working' && !steps.some(({state}) => state === 'running') ? steps.find(isOpen) : undefined;

const mayBegin = ({grants}: Task, {step, state}: TaskStep): boolean =>
	state === 'permitted' || isAllowed(grants, step);

export const nextAction = (task: Task): Next => {
	if (task.phase === 'answering') return {do: 'ask-model', messages: task.messages};
	if (task.phase === 'asked') return {do: 'ask-person', question: task.says};
	const step = current(task);
	if (step === undefined) return {do: 'nothing'};
	return {do: mayBegin(task, step) ? 'run' : 'permit', step};
};

const withStep = (task: Task, number: number, change: Partial<TaskStep>): Task => ({
	...task,
	steps: task.steps.map(each => (each.number === number ? {...each, ...change} : each)),
});

const gaveUp = (task: Task, says: string): Task => ({...task, phase: 'gave-up', says});

const LIMIT_TEXT = {steps: 'steps', seconds: 'time', tokens: 'tokens (estimated)'} as const;

/** Adds a message of the program, which the model has to answer. */
const sent = (task: Task, content: string): Task => {
	const message = {role: 'user', content: content.replaceAll(task.mark, '[mark]')};
	return {...task, phase: 'answering', messages: [...task.messages, message]};
};

const counted = (task: Task): Task => ({...task, spent: {...task.spent, steps: task.spent.steps + 1}});

const withMiss = (task: Task, says: string): Task => {
	const next = {...counted(task), misses: task.misses + 1};
	if (next.misses >= MOST_MISSES) return gaveUp(next, 'Its answers held no step that could be read.');
	return sent(next, `${NOTHING_DONE} ${says}`);
};

const NOT_STARTED: Result = {head: 'not carried out, because an earlier step failed', text: null};

/**
 * True if the steps after this one must not run, because they relied on it. Steps that only read do
 * not count.
 */
const stopsOthers = ({step, state}: TaskStep): boolean =>
	state === 'refused' ||
	state === 'unknown' ||
	(state === 'failed' && step.kind !== 'read' && step.kind !== 'list');

/**
 * State of the task after the last step of an answer: ended, waiting for a reply, or with the
 * results as the next message.
 */
const settled = (task: Task): Task => {
	const own = task.steps.filter(({number}) => number >= task.from);
	if (task.phase !== 'working' || own.some(({state}) => state === 'running')) return task;
	if (own.some(stopsOthers) && own.some(isOpen))
		return settled({
			...task,
			steps: task.steps.map(each => (isOpen(each) ? {...each, state: 'skipped', result: NOT_STARTED} : each)),
		});
	const [open, ...more] = own.filter(isOpen);
	const isWell = own.every(({state}) => state !== 'failed');
	if (open !== undefined && more.length === 0 && endsAnswer(open.step)) {
		const {kind, text} = open.step;
		if (kind === 'ask') return {...withStep(task, open.number, {state: 'done'}), phase: 'asked', says: text};
		if (kind === 'give-up') return gaveUp(withStep(task, open.number, {state: 'done'}), text);
		if (isWell) return {...withStep(task, open.number, {state: 'done'}), phase: 'done', says: text};
		return settled(withStep(task, open.number, {state: 'skipped', result: NOT_STARTED}));
	}
	if (open !== undefined) return task;
	const results = own.map(({number, step, result}) => ({
		number,
		head: `${step.kind}: ${result?.head ?? 'done'}`,
		text: result?.text ?? null,
	}));
	return sent(task, resultsMessage(results, task.mark));
};

const begun = ({at, goal, server, model, message, mark, limits, grants}: EventOf<'goal'>): Task => ({
	server,
	model,
	goal,
	mark,
	limits,
	spent: NOTHING_SPENT,
	grants,
	messages: [{role: 'user', content: message}],
	steps: [],
	from: 1,
	phase: 'answering',
	says: '',
	misses: 0,
	at,
});

const answered = (task: Task, {content, complete}: EventOf<'answer'>): Task => {
	if (task.phase !== 'answering') return task;
	const size = task.messages.reduce((sum, message) => sum + estimatedTokens(message.content), 0);
	const withAnswer: Task = {
		...task,
		messages: content === '' ? task.messages : [...task.messages, {role: 'assistant', content}],
		spent: {...task.spent, tokens: task.spent.tokens + size + estimatedTokens(content)},
	};
	if (!complete) return withMiss(withAnswer, 'It broke off before its end. Write it again, shorter.');
	const {steps, fault} = stepsIn(content, task.mark);
	if (fault !== null) return withMiss(withAnswer, fault);
	if (steps.length === 0)
		return withMiss(
			withAnswer,
			"It held no step with this task's mark. Go on with a step, or end with done.",
		);
	const from = (task.steps.at(-1)?.number ?? 0) + 1;
	const added = steps.map((step, at): TaskStep => ({
		number: from + at,
		step,
		state: 'waiting',
		result: null,
		startedAt: null,
		seconds: null,
		change: null,
		took: false,
		isUndone: false,
	}));
	return settled({...withAnswer, phase: 'working', misses: 0, from, steps: [...task.steps, ...added]});
};

const decided = (task: Task, {number, decision, says}: EventOf<'decide'>): Task => {
	const now = current(task);
	if (now?.number !== number || mayBegin(task, now)) return task;
	if (decision === 'no') {
		const head = says === '' ? 'the user declined' : says;
		return settled(withStep(counted(task), number, {state: 'refused', result: {head, text: null}}));
	}
	const grant = grantOf(now.step, decision);
	return {
		...withStep(task, number, {state: 'permitted'}),
		grants: grant === null ? task.grants : [...task.grants, grant],
	};
};

const began = (task: Task, {number, at, change}: EventOf<'begin'>): Task => {
	const now = current(task);
	if (now?.number !== number || !mayBegin(task, now)) return task;
	return withStep(counted(task), number, {state: 'running', startedAt: at, change, took: change !== null});
};

const finished = (task: Task, {number, at, ok, took, head, text}: EventOf<'end'>): Task => {
	const step = task.steps.find(each => each.number === number);
	if (step?.state !== 'running') return task;
	const seconds = step.startedAt === null ? null : (at - step.startedAt) / 1000;
	const state = ok ? 'done' : 'failed';
	const over = withStep(task, number, {state, seconds, took: step.took && took, result: {head, text}});
	return settled(over);
};

const UNKNOWN: Result = {
	head: 'started, but its outcome is unknown; it may have taken effect. Check before asking again.',
	text: null,
};

/** Marks the outcome of a running step as unknown. */
const withUnknown = (task: Task): Task => ({
	...task,
	steps: task.steps.map(each =>
		each.state === 'running' ? {...each, state: 'unknown', result: UNKNOWN} : each,
	),
});

const isOver = ({phase}: Task): boolean => phase === 'done' || phase === 'gave-up' || phase === 'stopped';

const react = (task: Task, event: WorkEvent): Task => {
	switch (event.type) {
		case 'goal':
			return task;
		case 'answer':
			return answered(task, event);
		case 'no-answer':
			return task.phase === 'answering' ? gaveUp(task, event.says) : task;
		case 'decide':
			return decided(task, event);
		case 'begin':
			return began(task, event);
		case 'end':
			return finished(task, event);
		case 'cannot': {
			const now = current(task);
			if (now?.number !== event.number) return task;
			const {head, text} = event;
			return settled(withStep(counted(task), event.number, {state: 'failed', result: {head, text}}));
		}
		case 'reply':
			return task.phase === 'asked' ? replied(task, event.text) : task;
		case 'stop':
		case 'cut':
			return isOver(task) ? task : {...withUnknown(task), phase: 'stopped', says: ''};
		case 'go-on':
			return task.phase === 'stopped' ? resumed(asking(task, event.grants ?? [])) : task;
		case 'undone': {
			const step = task.steps.find(each => each.number === event.number);
			return step?.took && !step.isUndone ? withStep(task, event.number, {isUndone: true}) : task;
		}
	}
};

const replied = (task: Task, text: string): Task =>
	sent(withStep(task, task.steps.at(-1)?.number ?? 0, {result: {head: text, text: null}}), text);

/**
 * Replaces all permissions. The user is asked again about steps that were permitted but have not
 * started.
 */
const asking = (task: Task, grants: readonly Grant[]): Task => ({
	...task,
	grants,
	steps: task.steps.map(each => (each.state === 'permitted' ? {...each, state: 'waiting'} : each)),
});

/** Resumes a stopped task with its waiting steps, its question, or the next answer. */
const resumed = (task: Task): Task => {
	const {step} = task.steps.at(-1) ?? {};
	if (task.messages.at(-1)?.role === 'assistant' && step?.kind === 'ask')
		return {...task, phase: 'asked', says: step.text};
	return task.messages.at(-1)?.role === 'user'
		? {...task, phase: 'answering'}
		: settled({...task, phase: 'working'});
};

/** Counts seconds while the model answers and while a step runs. */
const timed = (task: Task, at: number): Task => {
	const counts = task.phase === 'answering' || task.steps.some(({state}) => state === 'running');
	const seconds = counts ? Math.max(0, at - task.at) / 1000 : 0;
	return {...task, at, spent: {...task.spent, seconds: task.spent.seconds + seconds}};
};

/** Ends the task if its next action would exceed a limit. */
const limited = (task: Task): Task => {
	const {do: what} = nextAction(task);
	if (what === 'nothing' || what === 'ask-person') return task;
	const limit = limitReached(task.spent, task.limits);
	// Not the end yet: the model may still report the outcome.
	if (limit === 'steps' && what === 'ask-model') return task;
	return limit === null ? task : gaveUp(task, `Its budget is used up: ${LIMIT_TEXT[limit]}.`);
};

/**
 * State after an event. Returns the same object if the event does not apply. The caller must then
 * not act on the event.
 */
export const applyEvent = (task: Task | null, event: WorkEvent): Task | null => {
	if (task === null) return event.type === 'goal' ? limited(begun(event)) : null;
	const before =
		event.type === 'cut' || event.type === 'undone' || isOver(task) ? task : timed(task, event.at);
	const after = react(before, event);
	return after === before ? task : limited({...after, at: event.at});
};

/** Replays the events of a journal. Null if the journal is empty. */
export const replayTask = (events: readonly WorkEvent[]): Task | null =>
	events.reduce<Task | null>((task, event) => applyEvent(task, event), null);
