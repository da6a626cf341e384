import {clockTime} from '../../text/clock.ts';
import type {Found, JobNode, Verdict} from './found.ts';
import {oneLine} from './plain.ts';
import {endText} from './process.ts';
import {limitText} from '../../text/job-time.ts';
import {parseSlurmDuration, parseSlurmTime} from './slurm-time.ts';

/** Job as described by `squeue` or `sacct`. */
type Job = {
	/** First word of the state, in upper case, because `sacct` prints `CANCELLED by 20001`. */
	readonly state: string;
	readonly node: string;
	/** In ms since the epoch, or null. For a waiting job, the times are expected. */
	readonly start: number | null;
	readonly end: number | null;
	readonly partition: string;
	/** Time limit in minutes. Null if unlimited or unknown. */
	readonly limit: number | null;
	readonly reason: string;
};

const NODE = /^[\w.-]{1,63}$/;

const readJob = (line: string): Job | null => {
	const [, state = '', node = '', start = '', end = '', partition = '', limit = '', ...reason] =
		line.split('|');
	const [, word] = /^([A-Z_]+)/.exec(state) ?? [];
	if (word === undefined) return null;
	const minutes = parseSlurmDuration(limit);
	return {
		state: word,
		node: NODE.test(node) ? node : '',
		start: parseSlurmTime(start),
		end: parseSlurmTime(end),
		partition: oneLine(partition, 60),
		limit: minutes === Infinity ? null : minutes,
		reason: oneLine(reason.join('|'), 160),
	};
};

const ordinal = (count: number): string => {
	const [last, tens] = [count % 10, Math.floor(count / 10) % 10];
	const ending = tens === 1 ? 'th' : ({1: 'st', 2: 'nd', 3: 'rd'}[last] ?? 'th');
	return `${count}${ending}`;
};

/** Reasons for which a job stays in the queue until the user or an administrator acts. */
const STUCK: Readonly<Record<string, string>> = {
	PartitionTimeLimit:
		'The job asks for more time than the partition allows: stop the server, and set a shorter "time".',
	PartitionNodeLimit: 'The partition has no such node: stop the server, and choose another compute option.',
	BadConstraints:
		'No node meets the constraints of the job: stop the server, and choose another compute option.',
	JobHeldAdmin: 'An administrator holds the job.',
	JobHeldUser: 'The job is held: run scontrol release for it.',
	AssocGrpGRES: 'The GPUs of your account are all in use.',
	QOSMaxJobsPerUserLimit: 'You have as many jobs as are allowed.',
	MaxGRESPerAccount: 'The GPUs of your account are all in use.',
};

/** Sentence such as `Waits in the queue (Resources), 3rd of 7, about 14:20.` */
const waitText = ({reason, start}: Job, place: number | null, waiting: number | null): string => {
	const stuck = Object.hasOwn(STUCK, reason) ? ` ${STUCK[reason]}` : '';
	const why = reason === '' || reason === 'None' ? '' : ` (${reason})`;
	const where = place === null ? '' : `, ${ordinal(place)}${waiting === null ? '' : ` of ${waiting}`}`;
	const when = start === null ? '' : `, about ${clockTime(start)}`;
	return `Waits in the queue${why}${where}${when}.${stuck}`;
};

const at = (time: number | null): string => (time === null ? '' : ` at ${clockTime(time)}`);

/** Sentences about the end of a job, by the job's state. */
const ENDS: Readonly<Record<string, (job: Job) => string>> = {
	TIMEOUT: ({end, limit}) =>
		`The job reached its time limit${at(end)}${limit === null ? '' : ` (${limitText(limit)})`}. Files are kept.`,
	DEADLINE: ({end}) => `The job reached its deadline${at(end)}. Files are kept.`,
	PREEMPTED: ({end}) => `A job of higher priority took its place${at(end)}. Files are kept.`,
	NODE_FAIL: ({node}) => `${node === '' ? 'The node' : `Node ${node}`} failed. Files are kept.`,
	BOOT_FAIL: ({node}) =>
		`${node === '' ? 'The node' : `Node ${node}`} did not start. Start the server again.`,
	CANCELLED: ({end}) => `The job was cancelled${at(end)}, not by this program. Files are kept.`,
	OUT_OF_MEMORY: () =>
		'The server needed more memory than its job had (OUT_OF_MEMORY): choose a larger option. Files are kept.',
	REVOKED: () => 'Slurm moved the job to another cluster.',
};

/**
 * Messages that Slurm writes to a job's log when it ends the job. Used for jobs that Slurm no
 * longer knows.
 */
const KILLED: readonly (readonly [RegExp, string])[] = [
	[/DUE TO TIME LIMIT/, 'TIMEOUT'],
	[/DUE TO PREEMPTION/, 'PREEMPTED'],
	[/DUE TO NODE FAIL/, 'NODE_FAIL'],
	[/CANCELLED/, 'CANCELLED'],
];

const FINISHED = new Set([...Object.keys(ENDS), 'COMPLETED', 'FAILED']);

const NO_JOB: Job = {state: '', node: '', start: null, end: null, partition: '', limit: null, reason: ''};

const endSentence = (job: Job, {values, log}: Found): string => {
	const ended = values.get('ended') ?? '';
	const killed = values.get('killed') ?? '';
	const memory = values.get('memory') ?? '';
	const logged = KILLED.find(([pattern]) => pattern.test(killed))?.[1] ?? '';
	// Slurm reports CANCELLED for a job that it ended itself because of its memory use. The
	// operating system's OOM killer may have ended only one of the job's processes, so the job's
	// state is checked too.
	const isFull = /xceeded/.test(memory)
		? ['CANCELLED', 'FAILED', ''].includes(job.state)
		: /oom/.test(memory) && (job.state === 'FAILED' || (job.state === '' && logged === ''));
	const state = isFull ? 'OUT_OF_MEMORY' : ENDS[job.state] ? job.state : logged;
	const known = ENDS[state];
	if (known) return known(job);
	if (ended === '')
		return `The job ended${at(job.end)}${job.state === 'FAILED' ? ' with an error' : ''}. Files are kept.`;
	return endText(ended, log);
};

/** Time without a sign of life after which a job that Slurm does not know counts as ended, in s. */
const SILENT_S = 120;

const count = (text: string | undefined): number | null =>
	text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;

/** Node of a running job. Empty if the job runs on the host itself. */
const wayTo = (name: string, values: Found['values']): {readonly node?: JobNode} =>
	values.get('here') === 'yes'
		? {}
		: {
				node: {
					name,
					job: values.get('number') ?? '',
					user: values.get('user') ?? '',
					run: values.get('run') ?? '',
					hostKey: values.get('host_key') ?? '',
				},
			};

/**
 * Determines the state of a server that runs as a Slurm job. If Slurm does not report the end of a
 * job, two sources must agree that it ended: Slurm forgets jobs, and reports nothing while its
 * controller is down.
 */
export const judgeJob = (found: Found, host: string): Verdict => {
	const {values, socket} = found;
	const error = values.get('queue_error');
	const age = count(values.get('beat'));
	const isAlive = age !== null && age <= SILENT_S && !values.has('ended');
	// A server with a recent sign of life can be reached even if Slurm does not respond.
	if (error !== undefined && isAlive && socket !== null && NODE.test(values.get('node') ?? ''))
		return {state: 'listens', socket, ...wayTo(values.get('node') ?? '', values)};
	if (error !== undefined)
		return {
			state: 'unknown',
			reason: `Slurm on ${host} does not respond (${oneLine(error, 120).replace(/\.$/, '')}). Your server is not affected.`,
		};
	if (values.get('submitting') === 'yes') return {state: 'starting', reason: 'Submitting the job.'};
	if (values.get('submitting') === 'no') {
		const refused = oneLine(values.get('refused') ?? '', 200).replace(/^sbatch: error: |\.$/g, '');
		return {
			state: 'ended',
			reason: `Slurm rejected the job${refused === '' ? '' : `: ${refused}`}. Start the server again.`,
		};
	}
	const job = readJob(values.get('queue') ?? '');
	if (job === null) {
		if (values.get('gone') === 'yes' && (values.has('ended') || age === null || age > SILENT_S))
			return {state: 'ended', reason: endSentence(NO_JOB, found)};
		return {state: 'unknown', reason: `Slurm on ${host} does not report what became of the job.`};
	}
	if (FINISHED.has(job.state)) return {state: 'ended', reason: endSentence(job, found)};
	switch (job.state) {
		case 'PENDING':
		case 'REQUEUED':
		case 'REQUEUE_HOLD':
		case 'SPECIAL_EXIT':
			return {
				state: 'starting',
				reason: waitText(job, count(values.get('place')), count(values.get('waiting'))),
				isQueued: true,
			};
		case 'CONFIGURING':
			return {state: 'starting', reason: `Node ${job.node} is being prepared.`, isQueued: true};
		case 'SUSPENDED':
		case 'STOPPED':
			return {state: 'unknown', reason: 'Slurm has suspended the job.'};
	}
	// The final state is not known yet: Slurm may have ended the job or requeued it.
	if (values.has('ended')) return {state: 'unknown', reason: 'The job is ending.'};
	if (job.state !== 'RUNNING' || socket === null || job.node === '')
		return {state: 'starting', reason: `Starting Jupyter${job.node === '' ? '' : ` on ${job.node}`}.`};
	return {state: 'listens', socket, ...wayTo(job.node, values), endsAt: job.end};
};
