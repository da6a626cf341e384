import {readdirSync, readFileSync, readlinkSync} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';

/** A running process. Its environment variables are separated by \0. */
export type ProcessEntry = {readonly pid: number; readonly command: string; readonly environment: string};

/** Processes of the test harness that have the environment of a tested program. */
export const bystanders = new Set<number>();

/**
 * Reads a file synchronously: reading hundreds of small files of /proc through promises would keep
 * a core busy.
 */
const read = (path: string, take: (path: string) => string = file => readFileSync(file, 'utf8')): string => {
	try {
		return take(path);
	} catch {
		return '';
	}
};

const allPids = (): readonly number[] =>
	readdirSync('/proc')
		.filter(name => /^\d+$/.test(name))
		.map(Number);

/** Processes that use the folders, as in {@link processesUsing}. */
const usersOf = (
	folders: readonly string[],
	pids: readonly number[] = allPids(),
): ReadonlyMap<string, ProcessEntry[]> => {
	const found = new Map(folders.map(folder => [folder, [] as ProcessEntry[]] as const));
	for (const pid of pids) {
		if (pid === process.pid || bystanders.has(pid)) continue;
		const command = read(`/proc/${pid}/cmdline`);
		const environment = read(`/proc/${pid}/environ`);
		const cwd = read(`/proc/${pid}/cwd`, readlinkSync);
		// A zombie has neither arguments nor an environment. It counts as ended.
		for (const [folder, entries] of found)
			if (
				command.includes(folder) ||
				environment.includes(folder) ||
				cwd === folder ||
				cwd.startsWith(`${folder}/`)
			)
				entries.push({pid, command: command.replaceAll('\0', ' ').trim(), environment});
	}
	return found;
};

/**
 * Processes, except this one, that have the folder in their arguments or environment, or as their
 * working directory (Linux).
 */
export const processesUsing = async (folder: string): Promise<readonly ProcessEntry[]> =>
	usersOf([folder]).get(folder) ?? [];

const LOOK_EVERY_MS = 50;
const PATIENCE_MS = 30_000;

/**
 * Waits until no process uses a folder, and passes on each free folder. Kills the processes that
 * stay, and returns them.
 */
export const untilFree = async (
	folders: readonly string[],
	onFree: (folder: string) => Promise<void> = async () => {},
	timeoutMs = PATIENCE_MS,
): Promise<ReadonlyMap<string, readonly ProcessEntry[]>> => {
	const deadline = performance.now() + timeoutMs;
	let left: ReadonlyMap<string, readonly ProcessEntry[]> = new Map(folders.map(folder => [folder, []]));
	for (;;) {
		// Only processes found before are read again. When a folder has none left, all processes
		// are checked once more, because the ended ones may have started others.
		const known = new Set([...left.values()].flat().map(({pid}) => pid));
		const again = usersOf([...left.keys()], [...known]);
		const isDone = [...again.values()].some(entries => entries.length === 0);
		const users = isDone ? usersOf([...left.keys()]) : again;
		left = new Map([...users].filter(([, entries]) => entries.length > 0));
		await Promise.all([...users.keys()].filter(folder => !left.has(folder)).map(onFree));
		if (left.size === 0) return left;
		if (performance.now() >= deadline) break;
		// /proc sends no event when a process ends.
		await delay(LOOK_EVERY_MS);
	}
	for (const {pid} of [...left.values()].flat()) {
		try {
			process.kill(pid, 'SIGKILL');
		} catch {
			// The process has ended in the meantime.
		}
	}
	return left;
};

/** Lists the remaining processes. */
export const stillRunning = (entries: readonly ProcessEntry[], timeoutMs = PATIENCE_MS): string =>
	`still running after ${timeoutMs} ms, killed now:\n${entries.map(({pid, command}) => `${pid} ${command}`).join('\n')}`;

/**
 * Waits until no process uses the folder. If some remain, kills them.
 * @throws {Error} with the commands of the killed processes.
 */
export const untilNoProcessUses = async (folder: string, timeoutMs = PATIENCE_MS): Promise<void> => {
	for (const entries of (await untilFree([folder], undefined, timeoutMs)).values())
		throw new Error(stillRunning(entries, timeoutMs));
};
