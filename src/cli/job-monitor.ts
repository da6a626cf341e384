import {bytesOf} from '../api/file-bytes.ts';
import {childrenOf} from '../api/file-tree.ts';
import type {Reply} from '../api/failure.ts';
import type {Job} from '../api/jobs/job.ts';
import {JOBS_FOLDER} from '../api/jobs/job-script.ts';
import {readJob} from '../api/jobs/read-jobs.ts';
import type {Context} from './context.ts';
import {unreadableJob, type OnJobs} from './on-jobs.ts';

/** Milliseconds between two questions to the kernel, which alone knows whether a job's processes are there. */
const CODE_EVERY = 60_000;
/** Bytes of output that are read whole from its file. */
const MOST_BY_FILE = 1 << 20;

/**
 * Looks at a job again and again: at its files, which disturbs no kernel and waits for none, and now and then by code. Where the service's files are
 * not those that the kernel sees, by code only.
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
		/** What is known now. @throws {CommandError} */
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
			// Its files are elsewhere.
			seesFile = false;
			await (pending ??= begin());
			const known = taken();
			if (known?.ok) last = known.value;
			return known ?? code();
		},
		/** The output from a byte on; null where that is to be asked of the kernel. */
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
