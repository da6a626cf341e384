import type {Command} from 'commander';
import {add, type Runs} from './add-command.ts';

export const addJobs = (root: Command, runs: Runs): void => {
	const job = add(
		root,
		'job run|list|logs|wait|cancel|rm SERVER ...',
		'programs on a server that outlive this machine and the kernel',
	).helpCommand(false);
	const kernel = (command: Command): Command =>
		command.option('--kernel <K>', 'the Python kernel that starts it and looks (python3)');
	const named = (line: string, what: string): Command =>
		kernel(add(job, line, what).argument('<SERVER>').argument('<JOB>'));
	kernel(add(job, 'run SERVER [--name NAME] -- COMMAND ...', 'start a program there, and leave it'))
		.argument('<SERVER>')
		.argument('<COMMAND...>', 'after --: the program and its arguments; no shell reads them')
		.option('--name <NAME>', 'what to call it; by default as its script, with a number')
		.action(runs(async () => (await import('./jobs.ts')).runJob));
	kernel(add(job, 'list SERVER', 'list the jobs of a server, with how they ended'))
		.argument('<SERVER>')
		.action(runs(async () => (await import('./jobs.ts')).listJobs));
	named('logs SERVER JOB [-f] [-n N]', 'print the output of a job')
		.option('-f, --follow', 'go on until it has ended')
		.option('-n, --lines <N>', 'from the last N lines on')
		.action(runs(async () => (await import('./job-logs.ts')).printLogs));
	named('wait SERVER JOB [--timeout S]', 'wait until a job has ended, and end with its exit code')
		.option('--timeout <S>', 'give up after this many seconds, with exit code 5; the job goes on')
		.action(runs(async () => (await import('./job-wait.ts')).waitForJob));
	named('cancel SERVER JOB', 'end a job with all its processes: SIGTERM, and SIGKILL after 10 s').action(
		runs(async () => (await import('./jobs.ts')).cancelJob),
	);
	kernel(add(job, 'rm SERVER JOB [JOB ...]', 'delete jobs that have ended, with their output'))
		.argument('<SERVER>')
		.argument('<JOB...>')
		.action(runs(async () => (await import('./jobs.ts')).removeJob));
};
