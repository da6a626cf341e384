import {StringDecoder} from 'node:string_decoder';
import type {Job} from '../api/jobs/job.ts';
import {createPaintedText} from '../text/output/painted.ts';
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
import {numberOf} from './option-values.ts';
import {printJson} from './print.ts';

/** Maximum number of bytes per response. Some services drop output that a cell prints too fast. */
const MOST = 256 * 1024;
/**
 * Shortest and longest pause between two polls, in ms. The pause grows while there is no new
 * output.
 */
const PAUSES = [500, 5000] as const;

/** Prints the output of a job: unchanged in a pipe, escaped on a terminal. */
const createPrinter = (context: Context, name: string) => {
	const {stdout, json, jsonl, colour} = context;
	const painted = createPaintedText({columns: stdout.columns, colour});
	const decoder = new StringDecoder('utf8');
	let whole = '';
	const printText = async (text: string): Promise<void> => {
		if (text === '') return;
		if (jsonl) await printJson(context, {name, output: text});
		else if (json) whole += text;
		else await stdout.write(painted.push(text));
	};
	return {
		push: (bytes: Buffer): Promise<void> =>
			json || stdout.isTTY ? printText(decoder.write(bytes)) : stdout.write(bytes),
		async end(job: Job): Promise<void> {
			if (json || stdout.isTTY) await printText(decoder.end());
			if (jsonl) await printJson(context, jsonOfJob(job));
			else if (json) await printJson(context, {...jsonOfJob(job), output: whole});
		},
	};
};

export const printLogs = async (
	context: Context,
	server: string,
	name: string,
	{follow = false, lines, ...options}: JobsOptions & {readonly follow?: boolean; readonly lines?: string},
): Promise<void> => {
	const last = numberOf('--lines', lines, {
		wanted: 'a positive whole number',
		pattern: /^\d{1,9}$/,
		from: 1,
		next: 'svc-tui job logs --help shows how.',
	});
	jobName(name);
	const jobs = await reachJobs(context, server, options);
	const looks = createJobMonitor(context, jobs, server, name);
	const poller = jobPoller(context, jobs, name);
	const printer = createPrinter(context, name);
	let start = last === undefined ? 0 : null;
	let pause: number = PAUSES[0];
	/** Prints the output from `start` on. True if that was all, undefined after a failed poll. */
	const printMore = async (): Promise<boolean | undefined> => {
		const found = start === null ? null : await looks.output(start, context.signal);
		if (found !== null) {
			await printer.push(found);
			start = (start ?? 0) + found.length;
			if (found.length > 0) pause = PAUSES[0];
			return true;
		}
		const order = {do: 'logs', name, start, lines: last ?? 0, most: MOST} as const;
		const answer = await poller.poll(signal => jobs.ask(order, signal));
		if (answer === undefined) return undefined;
		await printer.push(Buffer.from(answer.data, 'base64'));
		start = answer.next ?? 0;
		if (answer.data !== '') pause = PAUSES[0];
		return answer.data === '' || start >= (answer.size ?? 0);
	};
	try {
		for (;;) {
			// Polled before the output, so that the output of an ended job is complete.
			const job = await poller.poll(looks.next);
			let isAll = await printMore();
			while (isAll === false) isAll = await printMore();
			if (job && isAll && (!follow || !isJobAlive(job))) {
				await printer.end(job);
				if (follow && job.state === 'unknown') throw unknownJobError(context, server, job);
				return;
			}
			await poller.pause(pause);
			pause = Math.min(pause * 1.3, PAUSES[1]);
		}
	} finally {
		looks.end();
	}
};
