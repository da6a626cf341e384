import {jobStateText, type Job} from '../api/jobs/job.ts';
import {label} from '../text/safe.ts';
import {CommandError, EXIT} from './command-error.ts';
import type {Context} from './context.ts';
import {createJobMonitor} from './job-monitor.ts';
import {
	isJobAlive,
	jobName,
	jobPoller,
	jsonOfJob,
	unknownJobError,
	reachJobs,
	type JobsOptions,
} from './on-jobs.ts';
import {secondsOf} from './option-values.ts';
import {spanText} from './poller.ts';
import {printResult} from './print.ts';

/** Shortest and longest pause between two polls, in ms. The pause grows from poll to poll. */
const PAUSES = [300, 3000] as const;

/** Runs `job wait`. The exit code of the command is that of the job. */
export const waitForJob = async (
	context: Context,
	server: string,
	name: string,
	{timeout, ...options}: JobsOptions & {readonly timeout?: string},
): Promise<number> => {
	const limit = secondsOf('--timeout', timeout, 'svc-tui job wait') ?? Infinity;
	jobName(name);
	const jobs = await reachJobs(context, server, options);
	const looks = createJobMonitor(context, jobs, server, name);
	const poller = jobPoller(context, jobs, name, limit);
	let job: Job | undefined;
	let pause: number = PAUSES[0];
	try {
		for (;;) {
			job = (await poller.poll(looks.next)) ?? job;
			if (job && (job.state === 'ended' || !isJobAlive(job))) break;
			if (poller.isOver)
				throw new CommandError(
					'timeout',
					`${name} ${job ? `is ${job.state}` : 'was not seen'} after ${spanText(limit)}${poller.outage ? `, as far as known. ${poller.outage.why}` : '.'}`,
					'The job keeps running. Use a longer --timeout to wait for it.',
				);
			await poller.pause(pause);
			pause = Math.min(pause * 1.3, PAUSES[1]);
		}
	} finally {
		looks.end();
	}
	if (job.state === 'unknown') throw unknownJobError(context, server, job);
	await printResult(context, jsonOfJob(job), `${label(name)} ${jobStateText(job)}\n`);
	return job.code ?? EXIT.service;
};
