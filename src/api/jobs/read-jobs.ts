import type {FileEntry} from '../../contract/files.ts';
import {jsonIn} from '../../text/record.ts';
import type {CallOptions, Client} from '../client-types.ts';
import type {Reply} from '../failure.ts';
import {bytesOf} from '../file-bytes.ts';
import {childrenOf} from '../file-tree.ts';
import {job as jobShape, jobStateText, lastedText, type Job} from './job.ts';
import {JOB_NAME, JOBS_FOLDER} from './job-script.ts';

/**
 * A job as described in its file. Only the machine of the job can determine whether it still runs.
 */
export type JobOnDisk = {
	readonly name: string;
	readonly isRunning: boolean;
	/** True if the job ended with a code other than 0. */
	readonly hasFailed: boolean;
	/** State and duration, such as `exited with code 3, after 5 min`. */
	readonly words: string;
};

/** Maximum number of jobs to read. The newest ones are read. */
const MOST = 20;

const jobIn = (entry: FileEntry): Job | null => {
	const bytes = bytesOf(entry);
	return typeof bytes === 'string' ? null : (jobShape.safeParse(jsonIn(bytes.toString('utf8'))).data ?? null);
};

/** Reads the file of a job. Null if it is missing or unreadable. */
export const readJob = async (
	client: Pick<Client, 'getFile'>,
	server: string,
	name: string,
	options: CallOptions,
): Promise<Reply<Job | null>> => {
	const reply = await client.getFile(server, `${JOBS_FOLDER}/${name}/job.json`, options);
	if (reply.ok) return {ok: true, value: jobIn(reply.value)};
	return reply.failure.kind === 'not-found' ? {ok: true, value: null} : reply;
};

const jobOnDiskOf = (name: string, job: Job): JobOnDisk => {
	const isRunning = job.state === 'running' || job.state === 'starting';
	const lasted = job.started === null || job.ended === null ? null : job.ended - job.started;
	return {
		name,
		isRunning,
		hasFailed: !isRunning && job.code !== 0,
		words: `${jobStateText(job)}${lasted === null || lasted < 0 ? '' : `, after ${lastedText(lasted)}`}`,
	};
};

/**
 * Reads a server's jobs from their files, which does not occupy a kernel. Running jobs come first,
 * then the newest. Jobs that had ended `before` are not read again.
 */
export const readJobs = async (
	client: Pick<Client, 'getFile'>,
	server: string,
	before: readonly JobOnDisk[],
	options: CallOptions = {},
): Promise<Reply<readonly JobOnDisk[]>> => {
	const folder = await client.getFile(server, JOBS_FOLDER, options);
	if (!folder.ok) return folder.failure.kind === 'not-found' ? {ok: true, value: []} : folder;
	const names = childrenOf(folder.value, JOBS_FOLDER)
		.filter(({name, isFolder}) => isFolder && JOB_NAME.test(name))
		.toSorted((a, b) => (b.modified ?? '').localeCompare(a.modified ?? ''))
		.slice(0, MOST)
		.map(({name}) => name);
	const found = await Promise.all(
		names.map(async (name): Promise<Reply<JobOnDisk | null>> => {
			const over = before.find(each => each.name === name && !each.isRunning);
			if (over) return {ok: true, value: over};
			const reply = await readJob(client, server, name, options);
			if (!reply.ok) return reply;
			return {ok: true, value: reply.value && jobOnDiskOf(name, reply.value)};
		}),
	);
	const failed = found.find(reply => !reply.ok);
	if (failed) return failed;
	const jobs = found.flatMap(reply => (reply.ok && reply.value ? [reply.value] : []));
	return {ok: true, value: [...jobs.filter(each => each.isRunning), ...jobs.filter(each => !each.isRunning)]};
};
