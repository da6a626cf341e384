import {execFile} from 'node:child_process';
import {readdirSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {startWelcome} from '../journeys/steps.ts';
import {pressAction} from '../support/press-action.ts';
import {openProgram, type Home} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import type {BenchService} from './bench-service.ts';

/**
 * Opens the screens on a service whose first server is ready, and returns the folder of that
 * server's files too.
 */
export const openOnService = async (
	home: Home,
	{url, keyFile}: BenchService,
): Promise<{readonly terminal: Terminal; readonly folder: string}> => {
	const terminal = await openProgram({home, args: ['--base-url', url, '--api-key-file', keyFile]});
	await startWelcome(terminal);
	const servers = join(home.folder, 'bench-data/servers');
	return {terminal, folder: join(servers, readdirSync(servers)[0] ?? '')};
};

/** Time that curl takes for the file, in ms; `args` change the request. */
export const withCurl = async (
	home: Home,
	{url, keyFile}: BenchService,
	name: string,
	...args: readonly string[]
): Promise<number> => {
	const key = (await readFile(keyFile, 'utf8')).trim();
	const from = performance.now();
	await promisify(execFile)('curl', [
		...['-sS', '--fail', '-H', `apiKey: ${key}`, '-o', join(home.folder, 'curl-out'), ...args],
		`${url}/api/servers/welcome/files/${name}`,
	]);
	return performance.now() - from;
};

/** Milliseconds from Enter until a file is on screen. */
export const openFile = async (terminal: Terminal, name: string, shown: RegExp): Promise<number> => {
	pressAction(terminal, 'global', 'commandLine');
	await terminal.until('Tab complete');
	terminal.type(`file ${name}`);
	await terminal.until(`file ${name}`);
	const from = performance.now();
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(shown, 60_000);
	return performance.now() - from;
};
