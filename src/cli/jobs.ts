import {setTimeout as sleep} from 'node:timers/promises';
import {jobStateText, lastedText, type Job} from '../api/jobs/job.ts';
import {clockTime} from '../text/clock.ts';
import {label} from '../text/safe.ts';
import {shellWord} from '../text/shell-word.ts';
import {CommandError} from './command-error.ts';
import type {Context} from './context.ts';
import {isJobAlive, jobName, jsonOfJob, unknownJobError, reachJobs, type JobsOptions} from './on-jobs.ts';
import {printNotice, printResult} from './print.ts';
import {NONE, tableText, type Column} from './table.ts';

/** Command as a shell command line, for display. */
const commandText = (command: readonly string[]): string => command.map(shellWord).join(' ');

/** Default name of a job: that of its script, else that of its program. */
const stemOf = (command: readonly string[]): string => {
	const named = command.find((word, at) => at > 0 && /\.\w+$/.test(word) && !word.startsWith('-'));
	const [last = ''] = (named ?? command[0] ?? '').split('/').slice(-1);
	const stem = last
		.replace(/\.\w+$/, '')
		.replaceAll(/[^\w.-]+/g, '-')
		.replace(/^[^A-Za-z0-9]+/, '')
		.slice(0, 40);
	return stem === '' ? 'job' : stem;
};

export const runJob = async (
	context: Context,
	server: string,
	command: readonly string[],
	{name, ...options}: JobsOptions & {readonly name?: string},
): Promise<void> => {
	const wanted = name === undefined ? null : jobName(name);
	const jobs = await reachJobs(context, server, options);
	const {job} = await jobs.order({do: 'run', name: wanted, stem: stemOf(command), command});
	if (job === null) throw new CommandError('off-contract', 'The job may or may not have started.', '');
	const words = `${label(job.name)} ${job.state === 'running' ? `is running on ${label(server, 60)}` : jobStateText(job)}${job.pid === null ? '' : `, process ${job.pid}`}`;
	await printResult(context, jsonOfJob(job), `${words}\n`);
	if (!context.json)
		await printNotice(
			context,
			`${context.typed('job', 'logs', '-f', server, job.name)} follows its output, which is in svc-jobs/${job.name} on the server.`,
		);
};

const COLUMNS: readonly Column<Job>[] = [
	{head: 'NAME', value: ({name}) => label(name, 64)},
	{head: 'STATE', value: job => jobStateText(job)},
	{head: 'STARTED', value: ({started}) => (started === null ? NONE : clockTime(started * 1000)), drop: 1},
	{head: 'TOOK', value: ({seconds}) => (seconds === null ? NONE : lastedText(seconds)), right: true},
	{head: 'COMMAND', value: ({command}) => label(commandText(command), 200), drop: 2},
];

/** Runs `job list`: newest first. */
export const listJobs = async (context: Context, server: string, options: JobsOptions): Promise<void> => {
	const jobs = await reachJobs(context, server, options);
	const {jobs: all} = await jobs.order({do: 'list'});
	const rows = all.toSorted((a, b) => (b.started ?? 0) - (a.started ?? 0));
	if (context.json || rows.length > 0)
		return printResult(context, rows.map(jsonOfJob), tableText(COLUMNS, rows, context.stdout.columns));
	await printNotice(
		context,
		`There are no jobs on ${label(server, 60)}. ${context.typed('job', 'run', server)} -- COMMAND starts one.`,
	);
};

/** Wait after SIGTERM, and again after SIGKILL, in ms. */
const GRACE = 10_000;
const LOOK_EVERY = 300;

/** Runs `job cancel`. Sends SIGTERM to the process group. If it does not end, sends SIGKILL. */
export const cancelJob = async (
	context: Context,
	server: string,
	name: string,
	options: JobsOptions,
): Promise<void> => {
	jobName(name);
	const jobs = await reachJobs(context, server, options);
	const signal = async (kill: boolean): Promise<Job> => (await jobs.orderOf({do: 'cancel', name, kill})).job;
	let job = await signal(false);
	if (!isJobAlive(job)) {
		if (job.state === 'unknown') throw unknownJobError(context, server, job);
		return printResult(context, jsonOfJob(job), `${label(name)} was not running: ${jobStateText(job)}\n`);
	}
	for (const [kill, limit] of [
		[false, GRACE],
		[true, GRACE],
	] as const) {
		if (kill) await signal(true);
		const until = Date.now() + limit;
		do {
			({job} = await jobs.orderOf({do: 'look', name}));
			if (!isJobAlive(job))
				return printResult(context, jsonOfJob(job), `${label(name)} was cancelled: ${jobStateText(job)}\n`);
			await sleep(LOOK_EVERY, undefined, {signal: context.signal});
		} while (Date.now() < until);
	}
	throw new CommandError(
		'timeout',
		`${name} is still running ${GRACE / 1000} s after SIGKILL.`,
		`${context.typed('job', 'list', server)} shows its state.`,
	);
};

export const removeJob = async (
	context: Context,
	server: string,
	names: readonly string[],
	options: JobsOptions,
): Promise<void> => {
	const wanted = names.map(jobName);
	const jobs = await reachJobs(context, server, options);
	for (const name of wanted) await jobs.order({do: 'remove', name});
	await printResult(context, {deleted: wanted}, wanted.map(name => `${name} deleted\n`).join(''));
};
