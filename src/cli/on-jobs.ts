import type {Reply} from '../api/failure.ts';
import {unknownJobText, type Job, type JobsAnswer} from '../api/jobs/job.ts';
import {orderJobs, type JobOrder} from '../api/jobs/jobs.ts';
import {JOB_NAME, JOBS_FOLDER} from '../api/jobs/job-script.ts';
import {DEFAULT_KERNEL} from '../contract/names.ts';
import {joinNames} from '../text/join-names.ts';
import {label} from '../text/safe.ts';
import {CommandError, usageError} from './command-error.ts';
import type {Context} from './context.ts';
import {embeddedCannot, engineOf, serviceHere} from './engine-of.ts';
import {findServer} from './find-server.ts';
import {reachServer, type OnServer} from './on-server.ts';
import {createPoller, type Poller} from './poller.ts';
import {printNotice} from './print.ts';
import {endSentence} from '../text/sentence.ts';

export type JobsOptions = {readonly kernel?: string};

/** Time without a reply after which a notice explains the wait, in ms. */
const BUSY_AFTER = 3000;

export type OnJobs = OnServer & {
	/**
	 * Result of an order, or the failure of its call. @throws {CommandError} if the server refuses
	 * the order.
	 */
	ask(order: JobOrder, signal: AbortSignal, how?: {readonly isQuiet?: boolean}): Promise<Reply<JobsAnswer>>;
	/** Result of an order. @throws {CommandError} if it fails. */
	order(order: JobOrder): Promise<JobsAnswer>;
	/**
	 * Result of an order about one job. @throws {CommandError} if it fails or the job is
	 * unreadable.
	 */
	orderOf(order: JobOrder & {readonly name: string}): Promise<JobsAnswer & {readonly job: Job}>;
};

/** The name itself. @throws {CommandError} if it is not valid for a job. */
export const jobName = (name: string): string => {
	if (JOB_NAME.test(name)) return name;
	throw usageError(
		`${JSON.stringify(name)} cannot be the name of a job.`,
		'Use up to 64 letters, digits, . _ or -, starting with a letter or digit.',
	);
};

export const unreadableJob = (): CommandError =>
	new CommandError(
		'off-contract',
		"The job's record on the server cannot be read.",
		`It is ${JOBS_FOLDER}/NAME/job.json on the server.`,
	);

/** True if a process of the job exists. */
export const isJobAlive = ({state, left}: Job): boolean =>
	state === 'running' || state === 'starting' || left;

/** Error for a job whose outcome cannot be known. */
export const unknownJobError = (context: Context, server: string, job: Job): CommandError =>
	new CommandError(
		'unknown',
		label(unknownJobText(job), 400),
		`${context.typed('job', 'logs', server, job.name)} prints its output so far.`,
	);

const troubleOf = (
	context: Context,
	server: string,
	order: JobOrder,
	{trouble, says, names}: JobsAnswer,
): CommandError | null => {
	const name = 'name' in order && order.name !== null ? order.name : '';
	const reason = says === '' ? 'no reason was given' : label(says, 200);
	switch (trouble) {
		case null:
			return null;
		case 'none':
			return new CommandError(
				'not-found',
				`There is no job ${JSON.stringify(name)} on ${JSON.stringify(server)}. ${names.length === 0 ? 'It has none yet' : `Its jobs are ${label(joinNames(names), 300)}`}.`,
				`${context.typed('job', 'list', server)} lists them.`,
			);
		case 'taken':
			return new CommandError(
				'conflict',
				`A job ${JSON.stringify(name)} already exists on ${JSON.stringify(server)}.`,
				`Choose another --name. Once it has ended, ${context.typed('job', 'rm', server, name)} deletes it and its output.`,
			);
		case 'no-programs':
			return embeddedCannot(server, 'start programs, so it can have no jobs');
		case 'not-started':
			return new CommandError(
				'refused',
				`${JSON.stringify(order.do === 'run' ? order.command[0] : name)} could not be started on ${JSON.stringify(server)}: ${reason}.`,
				"Programs are looked up in the server's folder and PATH. For a shell command line, use -- sh -c 'LINE'.",
			);
		case 'running':
			return new CommandError(
				'conflict',
				`${name} is running, so nothing was deleted.`,
				`${context.typed('job', 'cancel', server, name)} stops it.`,
			);
		case 'refused':
			return new CommandError('refused', `${JSON.stringify(server)} refused the request: ${reason}.`, '');
	}
};

/**
 * Reaches the jobs of a server. A server that cannot run jobs is refused before anything is started
 * or sent.
 */
export const reachJobs = async (
	context: Context,
	server: string,
	{kernel = DEFAULT_KERNEL}: JobsOptions,
): Promise<OnJobs> => {
	const reached = await reachServer(context, server, undefined, {
		runsCode: true,
		async before(service) {
			if ((await serviceHere(context, service)) === null) return;
			const engine = await engineOf(context, service, await findServer(context, service, server));
			if (engine === 'pyodide') throw embeddedCannot(server, 'start programs, so it can have no jobs');
		},
	});
	const {service, explain} = reached;
	const ask: OnJobs['ask'] = async (wanted, signal, {isQuiet = false} = {}) => {
		const busy = isQuiet
			? undefined
			: setTimeout(
					() =>
						void printNotice(
							context,
							'Waiting for the kernel, which may be starting or running a cell.',
						).catch(() => {}),
					BUSY_AFTER,
				);
		const reply = await orderJobs(service.client, server, kernel, wanted, {signal});
		clearTimeout(busy);
		if (reply.kind === 'failed') return {ok: false, failure: reply.failure};
		if (reply.kind === 'raised')
			throw new CommandError(
				'unsupported',
				`The kernel ${label(kernel, 60)} of ${JSON.stringify(server)} could not run the request: ${endSentence(label(reply.says, 300))}`,
				'Jobs need a Python kernel. Choose one with --kernel.',
			);
		const trouble = troubleOf(context, server, wanted, reply.answer);
		if (trouble) throw trouble;
		return {ok: true, value: reply.answer};
	};
	const order = async (wanted: JobOrder): Promise<JobsAnswer> => {
		const reply = await ask(wanted, context.signal);
		if (!reply.ok) throw await explain(reply.failure);
		return reply.value;
	};
	return {
		...reached,
		ask,
		order,
		async orderOf(wanted) {
			const answer = await order(wanted);
			if (answer.job !== null) return {...answer, job: answer.job};
			throw unreadableJob();
		},
	};
};

/**
 * Maximum number of consecutive failures of the local service. After it has stopped, it does not
 * start again during this command.
 */
const MAX_FAILURES = 3;

/**
 * Polls a job, even while the service is unavailable. After a permanent failure, the error states
 * that the state of the job is unknown.
 */
export const jobPoller = (
	context: Context,
	{service, explain}: OnJobs,
	name: string,
	limit = Infinity,
): Pick<Poller, 'poll' | 'pause' | 'isOver' | 'outage'> => {
	const poller = createPoller(context, {limit, ...(service.isLocal && {maxFailures: MAX_FAILURES})});
	return {
		pause: poller.pause,
		get isOver() {
			return poller.isOver;
		},
		get outage() {
			return poller.outage;
		},
		async poll(ask) {
			try {
				return await poller.poll(ask);
			} catch (error) {
				if (!(error instanceof CommandError) || error.failure === undefined || context.signal.aborted)
					throw error;
				const {code, message, next, failure} = await explain(error.failure);
				throw new CommandError(
					code,
					`${message} The state of ${label(name)} is unknown; it may still be running.`,
					next,
					undefined,
					failure,
				);
			}
		},
	};
};

const timeOf = (seconds: number | null): string | null =>
	seconds === null || seconds > 8e12 ? null : new Date(seconds * 1000).toISOString();

/** Job for JSON output, with times in ISO 8601. */
export const jsonOfJob = (job: Job): object => ({
	...job,
	started: timeOf(job.started),
	ended: timeOf(job.ended),
});
