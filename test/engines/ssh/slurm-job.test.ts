import fc from 'fast-check';
import {expect, test} from 'vitest';
import {readFound} from '../../../src/engines/ssh/found.ts';
import type {ScriptLines} from '../../../src/engines/ssh/script.ts';
import {judgeJob} from '../../../src/engines/ssh/slurm-job.ts';
import {clockTime} from '../../../src/text/clock.ts';

const SOCKET = '/tmp/svc-abcdefgh/s';
const START = 1_795_766_400;
const END = START + 600;
const time = (seconds: number): string => clockTime(seconds * 1000);

const judge = (...lines: ScriptLines) => {
	const [found] = readFound([...lines, ['id', '0123456789abcdef']]);
	return judgeJob(found!, 'lab');
};
const line = (
	state: string,
	{node = 'n1', reason = 'None', start = START, end = END} = {},
): readonly [string, string] => ['queue', `12|${state}|${node}|${start}|${end}|gpu|10:00|${reason}`];
const reasonOf = (verdict: ReturnType<typeof judge>): string => ('reason' in verdict ? verdict.reason : '');

test('a waiting job shows its reason, its place and its expected start', () => {
	const pending = line('PENDING', {node: '', reason: 'Resources'});
	expect(judge(pending, ['place', '3'], ['waiting', '7'])).toEqual({
		state: 'starting',
		reason: `Waits in the queue (Resources), 3rd of 7, about ${time(START)}.`,
		isQueued: true,
	});
	expect(
		judge(['queue', '12|PENDING||N/A|N/A|gpu|10:00|ReqNodeNotAvail, UnavailableNodes:n[1-2]'], ['place', '']),
	).toMatchObject({reason: 'Waits in the queue (ReqNodeNotAvail, UnavailableNodes:n[1-2]).'});
	expect(reasonOf(judge(['queue', '12|PENDING||N/A|N/A|gpu|10:00:00|PartitionTimeLimit']))).toBe(
		'Waits in the queue (PartitionTimeLimit). The job asks for more time than the partition allows: stop the server, and set a shorter "time".',
	);
	const places = ['1', '2', '11', '12', '13', '21', '22', '103', '111'];
	expect(places.map(place => reasonOf(judge(pending, ['place', place])).split(', ')[1])).toEqual([
		'1st',
		'2nd',
		'11th',
		'12th',
		'13th',
		'21st',
		'22nd',
		'103rd',
		'111th',
	]);
});

test('a running job listens on its node, with the end of its time', () => {
	const where: ScriptLines = [
		['user', 'alice'],
		['number', '12'],
		['run', '/home/alice/.local/share/svc-tui/remote/servers/x'],
		['host_key', 'ssh-ed25519 AAAA'],
		['socket', SOCKET],
	];
	expect(judge(...where, line('RUNNING'))).toEqual({state: 'starting', reason: 'Starting Jupyter on n1.'});
	expect(judge(...where, line('RUNNING'), ['listens', 'yes'])).toEqual({
		state: 'listens',
		socket: SOCKET,
		node: {
			name: 'n1',
			user: 'alice',
			job: '12',
			run: '/home/alice/.local/share/svc-tui/remote/servers/x',
			hostKey: 'ssh-ed25519 AAAA',
		},
		endsAt: END * 1000,
	});
	expect(judge(...where, line('CONFIGURING'))).toMatchObject({state: 'starting', isQueued: true});
});

test('each end has its sentence', () => {
	const end = (state: string) => reasonOf(judge(line(state), ['ended', 'exit 143 told']));
	expect(end('TIMEOUT')).toBe(`The job reached its time limit at ${time(END)} (10 min). Files are kept.`);
	expect(end('PREEMPTED')).toBe(`A job of higher priority took its place at ${time(END)}. Files are kept.`);
	expect(end('NODE_FAIL')).toBe('Node n1 failed. Files are kept.');
	expect(end('CANCELLED by 20001')).toBe(
		`The job was cancelled at ${time(END)}, not by this program. Files are kept.`,
	);
	expect(end('OUT_OF_MEMORY')).toContain('The server needed more memory than its job had (OUT_OF_MEMORY)');
	expect(end('COMPLETED')).toBe('Shut down. Files are kept.');
	expect(
		reasonOf(
			judge(line('FAILED'), ['ended', 'exit 1'], ['log', 'Traceback\u001FNo module named jupyter_server']),
		),
	).toBe('Jupyter Server ended there (exit code 1): No module named jupyter_server.');
	// The process has ended, but the job may return to the queue.
	expect(judge(line('COMPLETING'), ['ended', 'exit 143 told']).state).toBe('unknown');
	expect(judge(line('PENDING', {reason: 'BeginTime'}), ['ended', 'exit 143 told']).state).toBe('starting');
});

test('a job that Slurm has forgotten ended only if a second source agrees', () => {
	const killed = ['killed', 'DUE TO TIME LIMIT'] as const;
	expect(judge(['gone', 'yes'], ['beat', '12']).state).toBe('unknown');
	expect(judge(['gone', 'yes'], ['beat', '12'], ['ended', 'exit 143 told'], killed)).toEqual({
		state: 'ended',
		reason: 'The job reached its time limit. Files are kept.',
	});
	expect(judge(['gone', 'yes'], ['beat', '4000'], ['killed', 'CANCELLED AT 2026-11-27T08:10:57'])).toEqual({
		state: 'ended',
		reason: 'The job was cancelled, not by this program. Files are kept.',
	});
	expect(reasonOf(judge(['gone', 'yes'], ['beat', '4000']))).toBe('The job ended. Files are kept.');
	// The cluster's accounting still lists the job.
	expect(reasonOf(judge(['gone', 'yes'], line('NODE_FAIL')))).toBe('Node n1 failed. Files are kept.');
});

test('no answer, an error and an empty answer of Slurm end nothing', () => {
	for (const error of ['slurm_load_jobs error: Unable to contact slurm controller', 'squeue does not answer'])
		expect(judge(['queue_error', error], ['ended', 'exit 0']), error).toMatchObject({state: 'unknown'});
	for (const empty of ['', '|', '12||||||', '\u001B[2J', 'x'.repeat(10_000)])
		expect(judge(['queue', empty]).state, empty).toBe('unknown');
	expect(judge(['beat', '99999']).state).toBe('unknown');
	expect(reasonOf(judge(['queue_error', 'Unable to contact slurm controller']))).toBe(
		'Slurm on lab does not respond (Unable to contact slurm controller). Your server is not affected.',
	);
});

test('a server with a fresh sign of life is reached while Slurm does not answer', () => {
	const silent: ScriptLines = [
		...[
			['queue_error', 'squeue does not answer'] as const,
			['number', '12'] as const,
			['user', 'alice'] as const,
		],
		...[['node', 'n2'] as const, ['socket', SOCKET] as const, ['listens', 'yes'] as const],
	];
	expect(judge(...silent, ['beat', '31'])).toEqual({
		state: 'listens',
		socket: SOCKET,
		node: {name: 'n2', user: 'alice', job: '12', run: '', hostKey: ''},
	});
	expect(judge(...silent, ['beat', '31'], ['here', 'yes'])).toEqual({state: 'listens', socket: SOCKET});
	for (const [key, value] of [
		['beat', '121'],
		['beat', ''],
		['ended', 'exit 0'],
	] as const)
		expect(judge(...silent, [key, value]).state, `${key} ${value}`).toBe('unknown');
});

test('a job that was never submitted says why, and not while sbatch still runs', () => {
	expect(judge(['submitting', 'yes'])).toMatchObject({state: 'starting'});
	expect(reasonOf(judge(['submitting', 'no'], ['refused', 'sbatch: error: Socket timed out.']))).toBe(
		'Slurm rejected the job: Socket timed out. Start the server again.',
	);
});

test('hostile values neither end a server nor reach the terminal', () => {
	const keys = [
		'queue',
		'place',
		'waiting',
		'killed',
		'beat',
		'queue_error',
		'refused',
		'log',
		'socket',
		'listens',
		'run',
	];
	fc.assert(
		fc.property(
			fc.array(fc.tuple(fc.constantFrom(...keys), fc.string({unit: 'binary', maxLength: 80})), {
				maxLength: 12,
			}),
			lines => {
				const verdict = judge(...lines);
				expect(verdict.state).not.toBe('ended');
				expect(reasonOf(verdict)).not.toMatch(/\p{Cc}/u);
			},
		),
	);
});

test('a job that was killed for its memory shows that, whatever state Slurm gives it', () => {
	const full = /^The server needed more memory than its job had/;
	const step = ['memory', 'slurmstepd-n1: error: StepId=1.batch exceeded memory limit'] as const;
	const event = ['memory', 'slurmstepd: error: Detected 1 oom-kill event'] as const;
	expect(reasonOf(judge(line('CANCELLED'), step))).toMatch(full);
	expect(reasonOf(judge(['gone', 'yes'], step, ['killed', 'CANCELLED AT 2026-11-27T08:10:57']))).toMatch(
		full,
	);
	expect(reasonOf(judge(line('FAILED'), event, ['ended', 'exit 137']))).toMatch(full);
	// Only a kernel was killed; the job continued.
	expect(reasonOf(judge(line('CANCELLED'), event))).toMatch(/^The job was cancelled at/);
	expect(reasonOf(judge(line('TIMEOUT'), event))).toMatch(/^The job reached its time limit/);
	expect(reasonOf(judge(['gone', 'yes'], event, ['killed', 'DUE TO TIME LIMIT']))).toMatch(
		/^The job reached its time limit/,
	);
});
