import {execFile} from 'node:child_process';
import {existsSync} from 'node:fs';
import {readdir, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {pyodideVersion, SNAPSHOT_MODULE} from './installation.ts';

// Three seconds on an idle machine.
const LIMIT_MS = 60_000;
const PREFIX = 'python-';

/**
 * The snapshot of an installed program, which comes without one: made in `folder`, which exists, before the first start of Python, and kept there.
 * Null where it cannot be made: Python starts without it, only slower.
 */
export const keptSnapshot = async (folder: string, signal: AbortSignal): Promise<string | null> => {
	const name = `${PREFIX}${pyodideVersion()}.snapshot`;
	const file = join(folder, name);
	if (existsSync(file)) return file;
	if (!existsSync(folder) || !existsSync(SNAPSHOT_MODULE)) return null;
	// In a process of its own: it takes 200 MB.
	const make = `import {makeSnapshot} from ${JSON.stringify(SNAPSHOT_MODULE.href)}; await makeSnapshot(${JSON.stringify(file)});`;
	try {
		await promisify(execFile)(
			process.execPath,
			['--disable-sigusr1', '--input-type=module', '--eval', make],
			{env: {}, signal, timeout: LIMIT_MS, killSignal: 'SIGKILL'},
		);
		for (const other of await readdir(folder))
			if (other.startsWith(PREFIX) && other !== name) await rm(join(folder, other), {force: true});
		return file;
	} catch {
		return null;
	}
};
