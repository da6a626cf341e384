import {execFile} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';

/**
 * Key pair for the sshd processes that the program starts in its own jobs. It gives access to
 * nothing else.
 */
export const jobKey = (dataFolder: string) => {
	const folder = join(dataFolder, 'ssh-jobs');
	const file = join(folder, 'key');
	let making: Promise<string> | undefined;
	const make = async (): Promise<string> => {
		if (!existsSync(`${file}.pub`)) {
			mkdirSync(folder, {recursive: true, mode: 0o700});
			rmSync(file, {force: true});
			await promisify(execFile)('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'svc-tui', '-f', file]);
		}
		return readFileSync(`${file}.pub`, 'utf8').trim();
	};
	return {
		file,
		/** Public key as a line of `authorized_keys`. Creates the pair on the first call. */
		publicKey(): Promise<string> {
			making ??= make().catch((error: unknown) => {
				making = undefined;
				throw error;
			});
			return making;
		},
	};
};

export type JobKey = ReturnType<typeof jobKey>;
