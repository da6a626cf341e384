import type {Command} from 'commander';
import {add, type Runs} from './add-command.ts';

/** Adds the commands for environments and their contents. */
export const addEnvironments = (root: Command, runs: Runs): void => {
	const env = add(
		root,
		'env list|show|create|allow|rm ...',
		'show what environments contain, and manage your own',
	).helpCommand(false);
	add(env, 'list', 'list environments with Python, packages and size').action(
		runs(async () => (await import('./env.ts')).listContents),
	);
	add(env, 'show ENVIRONMENT', 'show the packages of an environment, and what its start downloads')
		.argument('<ENVIRONMENT>')
		.action(runs(async () => (await import('./env.ts')).showContents));
	add(env, 'create NAME PACKAGE [PACKAGE ...] [options]', 'create an environment with these packages')
		.argument('<NAME>', 'id of the new environment')
		.argument('<PACKAGE...>', "packages of Pyodide's distribution; with Jupyter, requirements of pip")
		.option('--python <PATH>', 'base Python (with Jupyter; default: the python3 of this machine)')
		.option('--system', "include the base Python's own packages (with Jupyter)")
		.action(runs(async () => (await import('./env.ts')).createOwn));
	add(env, 'allow ENVIRONMENT', 'allow starts to download the packages of an environment')
		.argument('<ENVIRONMENT>')
		.action(runs(async () => (await import('./env.ts')).allowDownloads));
	add(env, 'rm ENVIRONMENT [--yes]', 'remove an environment that you have created')
		.argument('<ENVIRONMENT>')
		.option('--yes', 'also if a server uses it')
		.action(runs(async () => (await import('./env.ts')).removeOwn));
};
