import {readdir, readFile, readlink} from 'node:fs/promises';
import {setTimeout as delay} from 'node:timers/promises';

export type ProcessEntry = {readonly pid: number; readonly command: string};

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
			return uses ? [{pid, command: command.replaceAll('\0', ' ').trim()}] : [];
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
