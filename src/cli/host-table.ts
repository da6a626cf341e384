import type {Command} from 'commander';
import {add, type Runs} from './add-command.ts';

/** Adds the commands for machines that are reached over SSH. */
export const addHosts = (root: Command, runs: Runs): void => {
	const ssh = add(
		root,
		'ssh add|list|adopt|login|remove ...',
		'use machines that you reach with ssh as compute',
	).helpCommand(false);
	add(ssh, 'add HOST', 'connect to a host of ~/.ssh/config and add it to the compute options')
		.argument('<HOST>', 'alias of ~/.ssh/config, or a host name')
		.action(runs(async () => (await import('./ssh.ts')).addHost));
	add(ssh, 'list [HOST]', 'list hosts and their state, or your servers on one')
		.argument('[HOST]', 'host whose servers are listed, also those that other machines started')
		.action(runs(async () => (await import('./ssh.ts')).listHosts));
	add(ssh, 'adopt HOST ID', 'take over a server on a host that another of your machines started')
		.argument('<HOST>')
		.argument('<ID>', 'id that ssh list HOST shows, or its name')
		.option('--name <NAME>', 'name of the server in your list (default: the same)')
		.action(runs(async () => (await import('./ssh-adopt.ts')).adopt));
	add(ssh, 'login HOST', 'sign in to a host that asks for a password or a code, once for all programs')
		.argument('<HOST>')
		.action(runs(async () => (await import('./ssh-login.ts')).login));
	add(ssh, 'remove HOST', 'remove a host from the compute options; nothing on it is changed')
		.argument('<HOST>')
		.action(runs(async () => (await import('./ssh.ts')).removeHost));
};
