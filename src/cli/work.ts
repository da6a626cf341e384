import type {Failure} from '../api/failure.ts';
import {MODELS} from '../contract/names.ts';
import {identityOf} from '../machine/process-identity.ts';
import {newTaskJournal} from '../storage/tasks.ts';
import {label} from '../text/safe.ts';
import {askingModel} from '../work/ask-model.ts';
import {beginTask} from '../work/begin.ts';
import {budgetText, LIMITS} from '../work/budget.ts';
import {runTask} from '../work/run-task.ts';
import {createStepExecutor} from '../work/step-executor.ts';
import {KINDS, guardOfStep, type Grant} from '../work/permission.ts';
import {readContext} from '../work/server-context.ts';
import {messageText} from '../work/mentions.ts';
import type {Task, TaskStep} from '../work/task.ts';
import {ALLOWABLE} from './allowable.ts';
import {CommandError, EXIT, usageError} from './command-error.ts';
import type {Context} from './context.ts';
import {storageFor} from './storage-for.ts';
import {liveLink, reachServer, whenNotFound} from './on-server.ts';
import {printNotice} from './print.ts';
import {readQuestion} from './question.ts';
import {watchLink} from './watch-link.ts';
import {createWorkPrinter} from './work-lines.ts';

export type WorkOptions = {
	readonly allow?: string;
	readonly maxSteps?: string;
	readonly model?: string;
	readonly diff?: boolean;
	readonly context?: boolean;
	readonly undo?: boolean;
};

const grantsOf = (allow: string | undefined): readonly Grant[] => {
	const kinds = (allow ?? '').split(',').map(word => word.trim());
	const unknown = kinds.find(word => word !== '' && !ALLOWABLE.some(each => each === word));
	if (unknown !== undefined)
		throw usageError(
			`${JSON.stringify(unknown)} cannot be allowed.`,
			`--allow takes ${ALLOWABLE.join(', ')}, separated by commas. Reading and listing are always allowed, except for dotfiles and key files.`,
		);
	const named: readonly string[] = kinds.includes('write') ? [...kinds, 'edit'] : kinds;
	return KINDS.filter(kind => named.includes(kind)).map(kind => ({kind, folder: null}));
};

const stepsOf = (typed: string | undefined): number => {
	if (typed === undefined) return LIMITS.steps;
	if (!/^[1-9]\d{0,3}$/.test(typed)) throw usageError('--max-steps takes a whole number from 1 to 9999.');
	return Number(typed);
};

const GUARDED = {
	private: 'dotfiles and key files',
	instructions: 'files that assistants read as instructions',
} as const;

/** Reason why a step was not run, for the model and the user. */
const refusalOf = ({step}: TaskStep): string => {
	const guard = guardOfStep(step);
	if (guard !== undefined)
		return `${GUARDED[guard]} need a person's permission, and there is no one to ask here`;
	const word = step.kind === 'edit' ? 'write' : step.kind;
	return `not allowed in this task; --allow ${word} would allow it`;
};

/** Goal of the task, with standard input attached. @throws {CommandError} if there is no goal. */
const goalOf = async (context: Context, typed: string | undefined): Promise<string> => {
	const missing = 'No goal given. Pass it in quotes or pipe it in.';
	const {text, input} = await readQuestion(context, typed, missing);
	return input === null ? text.trim() : messageText(text.trim(), [input]);
};

/**
 * Runs `work`: an assistant carries out a task on a server, step by step. Exit code 0 if it reports
 * success, else 6.
 */
export const workOn = async (
	context: Context,
	server: string,
	typed: string | undefined,
	options: WorkOptions,
): Promise<number> => {
	if (options.undo) {
		if (typed !== undefined) throw usageError('--undo reverts the last task and takes no goal.');
		const {undoLast} = await import('./work-undo.ts');
		return undoLast(context, server);
	}
	const grants = grantsOf(options.allow);
	const limits = {...LIMITS, steps: stepsOf(options.maxSteps)};
	const goal = await goalOf(context, typed);
	const {service, explain} = await reachServer(
		context,
		server,
		whenNotFound('Choose another model with -m.'),
		{runsCode: true},
	);
	const {model: named} = options;
	const model =
		service.models.find(({id, name}) => id === named || name === named)?.id ??
		named ??
		service.models[0]?.id ??
		MODELS[1];
	const own = options.context === false ? null : await readContext(service.client, server);
	if (own === undefined)
		await printNotice(context, `The AGENTS.md of ${label(server)} could not be read; continuing without it.`);
	else if (own !== null)
		await printNotice(
			context,
			`Including ${own.mention} (${Buffer.byteLength(own.text)} bytes); use --no-context to leave it out.`,
		);
	const {
		task: begun,
		event,
		id,
	} = beginTask({
		...{server, goal, model, grants, limits, otherwise: 'never', context: own ?? null},
		at: Date.now(),
		owner: identityOf(process.pid),
	});
	const journal = newTaskJournal(storageFor(context), server, id);
	journal.add(event);
	const printer = createWorkPrinter(context);
	const live = await liveLink(context, service, server);
	let failure: Failure | undefined;
	let task: Task;
	try {
		task = await runTask(
			begun,
			{
				ask: askingModel(service.client, server, model, {onFailure: why => (failure = why)}),
				permit: async step => ({decision: 'no', says: refusalOf(step)}),
				reply: async question => (await context.ask?.(`${label(question, 600)} `, {masked: false})) ?? null,
				hands: createStepExecutor(
					service.client,
					server,
					live,
					live === null
						? {}
						: {watchLink: () => watchLink(live, words => void printNotice(context, words).catch(() => {}))},
				),
				keep: journal.add,
				onChange: printer.note,
				now: Date.now,
			},
			{soon: context.signal, now: context.signal},
		);
	} finally {
		live?.close();
	}
	if (options.diff) printer.changes(task);
	await printer.end(task);
	if (failure !== undefined && task.phase === 'gave-up') throw await explain(failure);
	if (context.signal.aborted)
		throw new CommandError(
			'cancelled',
			'Stopped.',
			`${context.typed('work', server, '--undo')} undoes its file changes.`,
		);
	if (!context.json) await printNotice(context, budgetText(task.spent, task.limits));
	return task.phase === 'done' ? EXIT.ok : EXIT.codeRaised;
};
