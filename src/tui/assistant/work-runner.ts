// The part of tasks that is loaded when the first task starts.
import type {Client, LiveFiles} from '../../api/client-types.ts';
import {identityOf, isOwned} from '../../machine/process-identity.ts';
import type {TaskJournal} from '../../storage/tasks.ts';
import {messageOf} from '../../text/errors.ts';
import type {NewCell} from '../../text/notebook/edit.ts';
import {label} from '../../text/safe.ts';
import {askingModel} from '../../work/ask-model.ts';
import {beginTask} from '../../work/begin.ts';
import {LIMITS} from '../../work/budget.ts';
import {cellCount, cellsOf} from '../../work/cells.ts';
import {runTask} from '../../work/run-task.ts';
import type {WorkEvent} from '../../work/events.ts';
import {createStepExecutor, type PreparedStep} from '../../work/step-executor.ts';
import {restoreTask} from '../../work/restore-task.ts';
import {folderOf, guardOfStep, type Decision, type Grant} from '../../work/permission.ts';
import {outputsText} from '../../work/results.ts';
import type {ServerContext} from '../../work/server-context.ts';
import type {Step} from '../../work/steps.ts';
import {applyEvent, type Task} from '../../work/task.ts';
import {hasWritten, undoTask} from '../../work/undo.ts';
import {stepTitle} from '../../work/step-text.ts';
import {wholeDifferenceOf} from '../files/saving/difference.ts';
import type {PermitQuestion, WorkHandle, WorkPlace} from './work.ts';
import {workText} from './work-text.ts';

/** Delay until new output of a step is drawn, in ms. */
const BETWEEN_LOOKS = 100;

const textOf = (base64: string | null): string => Buffer.from(base64 ?? '', 'base64').toString('utf8');

const NOTES = {
	run: "Runs in the server's kernel, can access the whole server, and cannot be undone.",
	shell: 'Runs in a shell on the server, can access all of it, and cannot be undone.',
	read: 'This may be private: its content is sent to the provider of the model.',
	instructions: 'Later tasks read this file as instructions.',
	change: '/undo reverts it.',
	made: 'A new file, which /undo cannot delete.',
} as const;

/** Everything that a step would do, for the user's decision. */
const questionOf = async (step: Step, {change, canUndo}: PreparedStep): Promise<PermitQuestion> => {
	const title = stepTitle(step);
	const guard = guardOfStep(step);
	const secret = guard !== undefined;
	if (change !== null && (step.kind === 'write' || step.kind === 'edit')) {
		const rows = await wholeDifferenceOf(change.path, textOf(change.before), textOf(change.after));
		const undo = canUndo ? NOTES.change : NOTES.made;
		const note = guard === 'instructions' ? `${NOTES.instructions} ${undo}` : undo;
		return {title, kind: step.kind, isPrivate: secret, folder: folderOf(step), note, rows};
	}
	if (step.kind === 'run' || step.kind === 'shell') {
		const rows = step.code.replace(/\n$/, '').split('\n');
		return {
			title,
			kind: step.kind,
			isPrivate: false,
			folder: null,
			note: NOTES[step.kind],
			rows: rows.map(text => ({kind: 'same', text})),
		};
	}
	return {title, kind: 'read', isPrivate: true, folder: null, note: NOTES.read, rows: []};
};

type Begun = {readonly task: Task; readonly journal: TaskJournal; readonly goesOn: boolean};

export const beginWork = (
	{
		server,
		model,
		goal,
		grants,
		context,
	}: Pick<WorkPlace, 'server' | 'model'> & {
		readonly goal: string;
		readonly grants: readonly Grant[];
		readonly context: ServerContext | null;
	},
	begin: (id: string) => TaskJournal,
): Begun => {
	const {task, event, id} = beginTask({
		...{server, model, goal, grants, context, limits: LIMITS, otherwise: 'asks'},
		at: Date.now(),
		owner: identityOf(process.pid),
	});
	const journal = begin(id);
	journal.add(event);
	return {task, journal, goesOn: false};
};

/**
 * Resumes the task that was stopped last; returns a sentence if that is not possible. A step that
 * had already started is not started again.
 */
export const resumeWork = (journal: TaskJournal | null, grants: readonly Grant[]): Begun | string => {
	const values = journal?.read() ?? [];
	const found = restoreTask(values);
	if (journal === null || found === null) return 'Add a goal: /work GOAL';
	const {task, owner} = found;
	if (task.phase === 'done' || task.phase === 'gave-up')
		return 'The last task has ended: add a goal for a new one, /work GOAL';
	if (owner !== null && isOwned(owner)) return 'The last task is still running';
	const at = Date.now();
	const add = (before: Task, event: WorkEvent): Task => {
		const after = applyEvent(before, event);
		if (after === null || after === before) throw new Error('The last task cannot be resumed.');
		journal.add(event);
		return after;
	};
	// Written now, because the program that ran the task ended before it could write the event.
	const stopped = task.phase === 'stopped' ? task : add(task, {type: 'cut', at});
	const owned = identityOf(process.pid);
	return {task: add(stopped, {type: 'go-on', at, owner: owned, grants: [...grants]}), journal, goesOn: true};
};

/** Runs a task and reports its progress to the screen. */
export const startWork = async (
	{client, server, model, live, decideKey, hear}: WorkPlace,
	{task: begun, journal, goesOn}: Begun,
): Promise<WorkHandle> => {
	const [soon, now] = [new AbortController(), new AbortController()];
	let decide: ((answer: {decision: Decision; says: string}) => void) | null = null;
	let reply: ((text: string) => void) | null = null;
	let task: Task = begun;
	let isOpen = false;
	let printed: (() => string) | null = null;
	let due: NodeJS.Timeout | undefined;
	const show = (): void => {
		clearTimeout(due);
		due = undefined;
		hear.text(
			workText(task, {
				...{goesOn, isOpen, decideKey: decide === null ? null : decideKey},
				printed: printed?.() ?? '',
			}),
		);
	};
	/** Waits for the user's input; null if the signal is aborted first. */
	const waitFor = <T>(signal: AbortSignal, take: (settle: (value: T) => void) => void): Promise<T | null> =>
		new Promise(resolve => {
			take(resolve);
			signal.addEventListener('abort', () => resolve(null), {once: true});
		});
	show();
	const ended = runTask(
		begun,
		{
			ask: askingModel(client, server, model),
			async permit({step}, prepared, signal) {
				const question = await questionOf(step, prepared);
				const answer = waitFor<{decision: Decision; says: string}>(signal, settle => (decide = settle));
				hear.waits(question);
				show();
				const word = await answer;
				decide = null;
				hear.waits(null);
				return word ?? {decision: 'no', says: ''};
			},
			async reply(_, signal) {
				const answer = waitFor<string>(signal, settle => (reply = settle));
				hear.asks(true);
				const text = await answer;
				reply = null;
				hear.asks(false);
				return text;
			},
			hands: createStepExecutor(client, server, live, {
				onOutput(look) {
					printed = () => outputsText(look());
					due ??= setTimeout(show, BETWEEN_LOOKS);
				},
			}),
			keep: journal.add,
			onChange(after) {
				task = after;
				printed = null;
				show();
			},
			now: Date.now,
		},
		{soon: soon.signal, now: now.signal},
	);
	return {
		ended: ended.then(
			({phase}) => ({phase}),
			(error: unknown) => ({phase: 'failed', says: messageOf(error)}),
		),
		decide: decision => decide?.({decision, says: ''}),
		reply: text => reply?.(text),
		stop() {
			if (soon.signal.aborted) now.abort();
			else soon.abort();
		},
		toggle() {
			isOpen = !isOpen;
			show();
		},
	};
};

/**
 * The last task, or a sentence if a program still runs it. Returns `none` if there is no task or
 * `holds` is false for it.
 */
const overTask = (
	journal: TaskJournal | null,
	holds: (task: Task) => boolean,
	none: string,
): NonNullable<ReturnType<typeof restoreTask>> | string => {
	const found = restoreTask(journal?.read() ?? []);
	if (found === null || !holds(found.task)) return none;
	return found.owner !== null && isOwned(found.owner)
		? 'The last task is still running: stop it first'
		: found;
};

/** The cells of the last task. A sentence if the task ran none, or is still running. */
export const cellsOfWork = (journal: TaskJournal | null): readonly NewCell[] | string => {
	const found = overTask(journal, task => cellCount(task) > 0, 'The last task ran no cell');
	return typeof found === 'string' ? found : cellsOf(found.task, found.events);
};

/** Reverts the file changes of the last task. Returns a report. */
export const undoWork = async (
	client: Client,
	server: string,
	files: LiveFiles | null,
	journal: TaskJournal | null,
): Promise<{readonly isGood: boolean; readonly says: string}> => {
	const found = overTask(journal, hasWritten, 'The last task changed no files');
	if (typeof found === 'string') return {isGood: false, says: found};
	const {undone, kept} = await undoTask(
		{client, server, files},
		found.task,
		number => journal?.add({type: 'undone', at: Date.now(), number}),
		AbortSignal.timeout(120_000),
	);
	const back = undone.map(path => label(path, 60)).join(', ');
	const says = [
		...(undone.length === 0 ? [] : [`Restored: ${back}.`]),
		...kept.map(({message}) => label(message, 200)),
	].join(' ');
	return {isGood: kept.length === 0, says};
};
