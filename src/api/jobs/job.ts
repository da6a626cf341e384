import * as z from 'zod';
import {lenient, lenientAmount, lenientCount, lenientList, lenientText} from '../../contract/lenient.ts';

const STATES = ['starting', 'running', 'ended', 'failed', 'unknown'] as const;

const optionalText = lenient(value => (typeof value === 'string' ? value : null));

/**
 * A job as its server reports it. The report may be forged by anyone with write access to the
 * server.
 */
export const job = z.object({
	name: z.string(),
	command: lenient(value => (Array.isArray(value) ? value.map(String) : [])),
	/**
	 * `starting`: not running yet. `failed`: could not start. `unknown`: no longer running, but its
	 * end was not observed.
	 */
	state: lenient(value => STATES.find(each => each === value) ?? 'unknown'),
	/** Exit code, or 128 plus a signal's number. Null while it runs, or if unknown. */
	code: lenientCount,
	signal: lenientCount,
	/** Seconds since the epoch by the server's clock. `seconds`: duration until the end or now. */
	started: lenientAmount,
	ended: lenientAmount,
	seconds: lenientAmount,
	pid: lenientCount,
	host: lenientText,
	/**
	 * Reason for `unknown`. `restarted`: the machine was restarted or replaced. `unseen`: any
	 * other.
	 */
	why: optionalText,
	/** True if processes of the job are still running after its first process has ended. */
	left: lenient(value => value === true),
});
export type Job = z.infer<typeof job>;

/** Reply to an order. Fields that do not belong to the order are empty. */
export const jobsAnswer = z.object({
	/** Reason why the order had no effect. */
	trouble: lenient(
		value =>
			(['none', 'taken', 'no-programs', 'not-started', 'running', 'refused'] as const).find(
				each => each === value,
			) ?? null,
	),
	says: lenientText,
	/** Names of existing jobs, if the job in the order does not exist. */
	names: lenient(value => (Array.isArray(value) ? value.filter(each => typeof each === 'string') : [])),
	job: lenient(value => job.safeParse(value).data ?? null),
	jobs: lenientList(job),
	/** Output in base64, and the offset of the next bytes. */
	data: lenientText,
	next: lenientCount,
	size: lenientCount,
});
export type JobsAnswer = z.infer<typeof jobsAnswer>;

export const jobStateText = ({state, code, signal}: Pick<Job, 'state' | 'code' | 'signal'>): string =>
	state === 'ended'
		? signal !== null && signal > 0
			? `ended by signal ${signal}`
			: `exited with code ${code ?? '?'}`
		: state === 'failed'
			? 'did not start'
			: state;

/** Reason for the state `unknown`, as a sentence. */
export const unknownJobText = ({name, why, host}: Pick<Job, 'name' | 'why' | 'host'>): string =>
	why === 'restarted'
		? `${name} is gone: the machine was restarted or replaced${host === '' ? '' : ` (${host})`}. Its exit status is unknown.`
		: `${name} is gone, and its exit status is unknown.`;

/** Duration, as in `12 s`, `4 min`, `3 h 05 min`, `2 d 3 h`. */
export const lastedText = (seconds: number): string => {
	if (seconds < 60) return `${Math.floor(seconds)} s`;
	const minutes = Math.floor(seconds / 60);
	if (minutes < 60) return `${minutes} min`;
	const hours = Math.floor(minutes / 60);
	if (hours < 48) return `${hours} h ${String(minutes % 60).padStart(2, '0')} min`;
	return `${Math.floor(hours / 24)} d ${hours % 24} h`;
};
