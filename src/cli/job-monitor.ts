import {bytesOf} from '../api/file-bytes.ts';
import {childrenOf} from '../api/file-tree.ts';
import type {Reply} from '../api/failure.ts';
import type {Job} from '../api/jobs/job.ts';
import {JOBS_FOLDER} from '../api/jobs/job-script.ts';
import {readJob} from '../api/jobs/read-jobs.ts';
import type {Context} from './context.ts';
import {unreadableJob, type OnJobs} from './on-jobs.ts';

/**
 * Interval between two requests to the kernel, in ms. Only the kernel can check the processes of a
 * job.
 */
const CODE_EVERY = 60_000;
/** Largest output file that is downloaded whole, in bytes. */
const MOST_BY_FILE = 1 << 20;

/**
 * Monitors a job through its files, which needs no kernel, and from time to time by code. Uses only
 * code if the service's files are not those of the kernel.
 */
export const createJobMonitor = (context: Context, {service, ask}: OnJobs, server: string, name: string) => {
	const folder = `${JOBS_FOLDER}/${name}`;
	const ending = new AbortController();
	const whole = AbortSignal.any([context.signal, ending.signal]);
	let pending: Promise<void> | null = null;
	let answered: {readonly reply: Reply<Job>} | {readonly error: unknown} | null = null;
	let askedAt = -Infinity;
	let last: Job | null = null;
	let seesFile = true;

	const code = async (): Promise<Reply<Job>> => {
		const reply = await ask({do: 'look', name}, whole, {isQuiet: seesFile});
		if (!reply.ok) return reply;
		if (reply.value.job === null) throw unreadableJob();
		return {ok: true, value: reply.value.job};
	};
	const begin = (): Promise<void> => {
		askedAt = Date.now();
		return code()
			.then(
				reply => {
					answered = {reply};
				},
				(error: unknown) => {
					answered = {error};
				},
			)
			.finally(() => {
				pending = null;
			});
	};
	const taken = (): Reply<Job> | null => {
		const found = answered;
		answered = null;
		if (found === null) return null;
		if ('error' in found) throw found.error;
		return found.reply;
	};
	return {
		/** Current state of the job. @throws {CommandError} if its record cannot be read. */
		async next(signal: AbortSignal): Promise<Reply<Job>> {
			if (Date.now() - askedAt > CODE_EVERY) pending ??= begin();
			const found = seesFile ? await readJob(service.client, server, name, {signal}) : null;
			if (found && !found.ok) return found;
			if (found?.value && found.value.started === (last?.started ?? found.value.started)) {
				if (found.value.state === 'ended') return {ok: true, value: found.value};
				const known = taken();
				if (known?.ok) last = known.value;
				return known ?? {ok: true, value: {...found.value, left: false}};
			}
			// The job is not in the service's files, so the kernel uses other files.
			seesFile = false;
			await (pending ??= begin());
			const known = taken();
			if (known?.ok) last = known.value;
			return known ?? code();
		},
		/** Output from a byte offset on. Null if it must be requested from the kernel. */
		async output(start: number, signal: AbortSignal): Promise<Buffer | null> {
			if (!seesFile) return null;
			const listing = await service.client.getFile(server, folder, {signal});
			const size = listing.ok
				? childrenOf(listing.value, folder).find(leaf => leaf.name === 'output.log')?.size
				: null;
			if (size == null || size > MOST_BY_FILE) return null;
			if (size <= start) return Buffer.alloc(0);
			const reply = await service.client.getFile(server, `${folder}/output.log`, {signal});
			const bytes = reply.ok ? bytesOf(reply.value) : '';
			return typeof bytes === 'string' ? null : bytes.subarray(start);
		},
		end: () => ending.abort(),
	};
};
