import * as z from 'zod';
import {lenient, lenientAmount, lenientCount, lenientList, lenientText} from '../../contract/lenient.ts';

const STATES = ['starting', 'running', 'ended', 'failed', 'unknown'] as const;

const optionalText = lenient(value => (typeof value === 'string' ? value : null));

/** A job as its server tells it. Whoever may write there may have written this. */
export const job = z.object({
	name: z.string(),
	/** The program and its arguments. */
	command: lenient(value => (Array.isArray(value) ? value.map(String) : [])),
	/** `starting`: its program has not begun; `failed`: it could not; `unknown`: it is not there, and nobody saw its end. */
	state: lenient(value => STATES.find(each => each === value) ?? 'unknown'),
	/** With which it ended; 128 and the signal's number where one ended it. Null: it has not, or that is not known. */
	code: lenientCount,
	signal: lenientCount,
	/** Seconds since the epoch, by the server's clock; `seconds` between start and end, or now. */
	started: lenientAmount,
	ended: lenientAmount,
	seconds: lenientAmount,
	pid: lenientCount,
	host: lenientText,
	/** Of `unknown`: `restarted`, the machine has been since or is another one; `unseen`. */
	why: optionalText,
	/** Of its processes some are there after the first has ended. */
	left: lenient(value => value === true),
});
export type Job = z.infer<typeof job>;

/** What an order came to. Fields that are not of the order are empty. */
export const jobsAnswer = z.object({
	/** Why nothing was done. */
	trouble: lenient(
		value =>
			(['none', 'taken', 'no-programs', 'not-started', 'running', 'refused'] as const).find(
				each => each === value,
			) ?? null,
	),
	says: lenientText,
	/** Of those there are, where the one that was named is not among them. */
	names: lenient(value => (Array.isArray(value) ? value.filter(each => typeof each === 'string') : [])),
	job: lenient(value => job.safeParse(value).data ?? null),
	jobs: lenientList(job),
	/** Base64, and where the next bytes of the output begin. */
	data: lenientText,
	next: lenientCount,
	size: lenientCount,
});
export type JobsAnswer = z.infer<typeof jobsAnswer>;

/** The state in words: `ended, code 0`. */
export const jobStateText = ({state, code, signal}: Pick<Job, 'state' | 'code' | 'signal'>): string =>
	state === 'ended'
		? signal !== null && signal > 0
			? `ended by signal ${signal}`
			: `ended, code ${code ?? '?'}`
		: state === 'failed'
			? 'did not start'
			: state;

/** Why the state is unknown, as a sentence. */
export const unknownJobText = ({name, why, host}: Pick<Job, 'name' | 'why' | 'host'>): string =>
	why === 'restarted'
		? `${name} is not there any more: the machine has restarted since, or it ran on another one${host === '' ? '' : ` (${host})`}. How it ended is unknown.`
		: `${name} is not there any more, and nothing saw its end: how it ended is unknown.`;

/** How long it took: `12 s`, `4 min`, `3 h 05 min`, `2 d 3 h`. */
export const lastedText = (seconds: number): string => {
	if (seconds < 60) return `${Math.floor(seconds)} s`;
	const minutes = Math.floor(seconds / 60);
	if (minutes < 60) return `${minutes} min`;
	const hours = Math.floor(minutes / 60);
	if (hours < 48) return `${hours} h ${String(minutes % 60).padStart(2, '0')} min`;
	return `${Math.floor(hours / 24)} d ${hours % 24} h`;
};
