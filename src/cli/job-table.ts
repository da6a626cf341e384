import type {Command} from 'commander';
import {add, type Runs} from './add-command.ts';

export const addJobs = (root: Command, runs: Runs): void => {
	const job = add(
		root,
		'job run|list|logs|wait|cancel|rm SERVER ...',
		'run background programs on a server',
	).helpCommand(false);
	const kernel = (command: Command): Command =>
		command.option('--kernel <K>', 'Python kernel used to start and check jobs (default python3)');
	const named = (line: string, what: string): Command =>
		kernel(add(job, line, what).argument('<SERVER>').argument('<JOB>'));
	kernel(add(job, 'run SERVER [--name NAME] -- COMMAND ...', 'start a program in the background'))
		.argument('<SERVER>')
		.argument('<COMMAND...>', 'after --: the program and its arguments (not interpreted by a shell)')
		.option('--name <NAME>', 'job name (default: script name and a number)')
		.action(runs(async () => (await import('./jobs.ts')).runJob));
	kernel(add(job, 'list SERVER', "list a server's jobs and their exit status"))
		.argument('<SERVER>')
		.action(runs(async () => (await import('./jobs.ts')).listJobs));
	named('logs SERVER JOB [-f] [-n N]', 'print the output of a job')
		.option('-f, --follow', 'follow until it ends')
		.option('-n, --lines <N>', 'start with the last N lines')
		.action(runs(async () => (await import('./job-logs.ts')).printLogs));
	named('wait SERVER JOB [--timeout S]', 'wait for a job and exit with its exit code')
		.option('--timeout <S>', 'give up after this many seconds with exit code 5; the job keeps running')
		.action(runs(async () => (await import('./job-wait.ts')).waitForJob));
	named('cancel SERVER JOB', 'stop a job and its processes (SIGTERM, then SIGKILL after 10 s)').action(
		runs(async () => (await import('./jobs.ts')).cancelJob),
	);
	kernel(add(job, 'rm SERVER JOB [JOB ...]', 'delete finished jobs and their output'))
		.argument('<SERVER>')
		.argument('<JOB...>')
		.action(runs(async () => (await import('./jobs.ts')).removeJob));
};
