import {spawn, type ChildProcess} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {cp, mkdir} from 'node:fs/promises';
import {delimiter, join} from 'node:path';
import type {Lab} from './lab/lab.ts';
import {newHome, PROGRAM, runCommand, type CommandResult, type Home} from './program.ts';

export type LabHome = Home & {
	/** Runs a command of the program until it ends. */
	run(...args: readonly string[]): Promise<CommandResult>;
	/** Runs a command, and throws unless it succeeds. Returns its output. */
	checked(...args: readonly string[]): Promise<string>;
	/** Writes settings that offer the login node of a cluster as a plain host; null removes it. */
	offerLoginNode(host: string | null): void;
};

/**
 * Creates a home whose `ssh` reaches the hosts of a lab. `more`: environment variables of its
 * programs.
 */
export const labHome = async (lab: Lab, more: Readonly<Record<string, string>> = {}): Promise<LabHome> => {
	const home = await newHome();
	await mkdir(join(home.folder, '.ssh'), {mode: 0o700});
	await cp(lab.config, join(home.folder, '.ssh/config'));
	const env = {...home.env, ...more, PATH: `${lab.bin}${delimiter}${home.env['PATH'] ?? ''}`};
	const own = {...home, env};
	const run = (...args: readonly string[]): Promise<CommandResult> => runCommand(args, {home: own});
	return {
		...own,
		run,
		async checked(...args) {
			const {code, stdout, stderr} = await run(...args);
			if (code !== 0) throw new Error(`svc-tui ${args.join(' ')} ended with ${code}: ${stderr || stdout}`);
			return stdout;
		},
		offerLoginNode(host) {
			const folder = join(home.folder, '.config/svc-tui');
			mkdirSync(folder, {recursive: true});
			const hosts = host === null ? {} : {[host]: {loginNode: true}};
			writeFileSync(join(folder, 'settings.json'), JSON.stringify({hosts}), {mode: 0o600});
		},
	};
};

/** Starts the servers `plain`, on the login node, and `job`, in the queue. */
export const startPlainAndJob = async ({checked, offerLoginNode}: LabHome): Promise<void> => {
	offerLoginNode('lab');
	await checked('ssh', 'add', 'lab');
	for (const [name, compute] of [
		['plain', 'lab-cpux0'],
		['job', 'lab-gpu-cpux0'],
	] as const) {
		const how = ['--environment', 'lab-python3', '--compute', compute, '--wait'];
		await checked('server', 'create', name, ...how);
	}
};

/** A running command of the program, with its output so far. */
export type RunningCommand = {
	readonly child: ChildProcess;
	output(): string;
	errors(): string;
	readonly ended: Promise<number | null>;
};

export const startCommand = ({folder, env}: LabHome, ...args: readonly string[]): RunningCommand => {
	const child = spawn(PROGRAM, [...args], {cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe']});
	let output = '';
	let errors = '';
	child.stderr.on('data', (chunk: Buffer) => {
		errors += chunk.toString();
	});
	child.stdout.on('data', (chunk: Buffer) => {
		output += chunk.toString();
	});
	const {promise, resolve} = Promise.withResolvers<number | null>();
	child.on('close', resolve);
	return {child, output: () => output, errors: () => errors, ended: promise};
};
