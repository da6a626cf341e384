import {createHash} from 'node:crypto';
import {existsSync, lstatSync, mkdirSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {runtimeFolder} from '../../machine/home.ts';
import {isPrivate} from '../../machine/private-file.ts';

/** Maximum length of the path of the sockets' folder, in bytes. */
const LONGEST = 60;

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/**
 * Paths of local sockets, in a folder that only its owner can access. The paths must be short:
 * macOS allows 104 bytes, and ssh temporarily adds 17.
 */
export const socketPaths = (dataFolder: string) => {
	const runtime = runtimeFolder();
	const folder =
		runtime !== null && Buffer.byteLength(runtime) <= LONGEST && existsSync(runtime)
			? join(runtime, 'svc-tui')
			: join(tmpdir(), `svc-tui-${process.getuid?.() ?? 0}`);
	return {
		/** Creates the folder. @throws {Error} if it belongs to another user. */
		prepare(): void {
			mkdirSync(folder, {recursive: true, mode: 0o700});
			const stats = lstatSync(folder);
			if (!stats.isDirectory() || !isPrivate(stats))
				throw new Error(`the folder ${folder} is not private: remove it, or set TMPDIR`);
		},
		/** Control socket of the connection to a host. Each data folder has different sockets. */
		control: (host: string): string => join(folder, digest(`${dataFolder}\0${host}`)),
		/** Socket that leads to a server. */
		near: (id: string): string => join(folder, `${id.slice(0, 16)}.s`),
		/** Socket that leads to a port of a server's machine. */
		port: (id: string, port: number): string => join(folder, `${id.slice(0, 16)}.${port}`),
		/** Control socket of the connection to a server's node. */
		node: (id: string): string => join(folder, `${id.slice(0, 16)}.n`),
		/** File for the host key of the sshd in a server's job. */
		knownHosts: (id: string): string => join(folder, `${id.slice(0, 16)}.k`),
	};
};

export type SocketPaths = ReturnType<typeof socketPaths>;
