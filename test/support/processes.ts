import {readdir, readFile, readlink, rm} from 'node:fs/promises';
import {setTimeout as delay} from 'node:timers/promises';

/** A process; its variables stand between \0. */
export type ProcessEntry = {readonly pid: number; readonly command: string; readonly environment: string};

/** Processes of the harness itself that carry a program's environment. */
export const bystanders = new Set<number>();

const read = async (path: string): Promise<string> => {
	try {
		return await readFile(path, 'utf8');
	} catch {
		return '';
	}
};

/** Processes other than this one that name a folder in their arguments or environment, or stand in it (Linux). */
export const processesUsing = async (folder: string): Promise<readonly ProcessEntry[]> => {
	const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name)).map(Number);
	const found = await Promise.all(
		pids.map(async pid => {
			if (pid === process.pid || bystanders.has(pid)) return [];
			const [command, environment, cwd] = await Promise.all([
				read(`/proc/${pid}/cmdline`),
				read(`/proc/${pid}/environ`),
				readlink(`/proc/${pid}/cwd`).catch(() => ''),
			]);
			const uses =
				command.includes(folder) ||
				environment.includes(folder) ||
				cwd === folder ||
				cwd.startsWith(`${folder}/`);
			// A zombie has neither arguments nor environment: it has ended.
			return uses ? [{pid, command: command.replaceAll('\0', ' ').trim(), environment}] : [];
		}),
	);
	return found.flat();
};

const LOOK_EVERY_MS = 50;

/** Waits until no process uses the folder. @throws after killing them, with their commands, when some stay. */
export const untilNoProcessUses = async (folder: string, timeoutMs = 30_000): Promise<void> => {
	const deadline = performance.now() + timeoutMs;
	let left = await processesUsing(folder);
	while (left.length > 0 && performance.now() < deadline) {
		// /proc sends no event when a process ends.
		await delay(LOOK_EVERY_MS);
		left = await processesUsing(folder);
	}
	if (left.length === 0) return;
	for (const {pid} of left) {
		try {
			process.kill(pid, 'SIGKILL');
		} catch {
			// Gone in the meantime.
		}
	}
	throw new Error(
		`still running after ${timeoutMs} ms, killed now:\n${left.map(({pid, command}) => `${pid} ${command}`).join('\n')}`,
	);
};

/** Home folders whose tests have ended, with the test that had each; undefined outside of tests. */
let left: Map<string, string> | undefined;
let currentTest = (): string => '';

/** From now on {@link leaveHome} only notes a home, for {@link sweepHomes} at the end of the file. */
export const sweepLater = (test: () => string): void => {
	left ??= new Map();
	currentTest = test;
};

const sweep = async (folder: string): Promise<void> => {
	try {
		await untilNoProcessUses(folder);
	} finally {
		await rm(folder, {recursive: true, force: true, maxRetries: 3});
	}
};

/** Removes a home folder once nothing that lives in it runs any more: a service goes a second after its last program. */
export const leaveHome = async (folder: string): Promise<void> => {
	if (left) left.set(folder, currentTest());
	else await sweep(folder);
};

/** @throws with the tests after whose end a process stayed. */
export const sweepHomes = async (): Promise<void> => {
	const homes = [...(left ?? [])];
	left?.clear();
	const swept = await Promise.allSettled(homes.map(async ([folder]) => sweep(folder)));
	const stayed = swept.flatMap((result, index) =>
		result.status === 'rejected' ? [`after "${homes[index]![1]}": ${String(result.reason)}`] : [],
	);
	if (stayed.length > 0) throw new Error(stayed.join('\n'));
};
