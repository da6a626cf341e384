// Private file for another program of the user, deleted after a while.
import {spawn} from 'node:child_process';
import {randomBytes} from 'node:crypto';
import {existsSync} from 'node:fs';
import {readdir, rm, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {homeFolder} from '../machine/home.ts';
import {makeFolder} from '../machine/make-folder.ts';
import {paths} from '../machine/paths.ts';

/**
 * Seconds until a file is deleted. A browser reads a page immediately, but the user may open a
 * picture in several programs in turn.
 */
const LIVES_S = {html: 60, png: 600} as const;
export type OpenedKind = keyof typeof LIVES_S;

const NAME = /^svc-tui-open-[\da-f]{32}\.(html|png)$/;
/**
 * Folder that exists if snaps are installed. A snap, such as Ubuntu's browsers, cannot read hidden
 * folders, and has its own /tmp.
 */
const SNAPS = '/snap/bin';

/** Deletes files that a killed program left behind. */
const sweep = async (folder: string): Promise<void> => {
	for (const name of await readdir(folder)) {
		const kind = NAME.exec(name)?.[1];
		if (kind === undefined) continue;
		const path = join(folder, name);
		if (Date.now() - (await stat(path)).mtimeMs > 2 * LIVES_S[kind as OpenedKind] * 1000)
			await rm(path, {force: true});
	}
};

/**
 * Deletes the file later, in a process that outlives this one. The process reads the path from a
 * pipe, so it is not visible in arguments or environment.
 */
const removeLater = (path: string, seconds: number): void => {
	// The process would read a path with a line break as another path.
	if (path.includes('\n')) return;
	const child = spawn('/bin/sh', ['-c', `IFS= read -r page; sleep ${seconds}; rm -f -- "$page"`], {
		detached: true,
		cwd: '/',
		stdio: ['pipe', 'ignore', 'ignore'],
		env: {PATH: '/usr/bin:/bin'},
	});
	child.once('error', () => {});
	child.stdin.once('error', () => {});
	child.stdin.end(`${path}\n`);
	child.unref();
};

/** Writes a file and returns its path. @throws Node's error if it cannot be written. */
export const openedFile = async (
	kind: OpenedKind,
	content: string | Uint8Array,
	{livesS = LIVES_S[kind] as number, hasSnaps = existsSync(SNAPS)} = {},
): Promise<string> => {
	const folder = hasSnaps ? homeFolder() : join(paths().state, 'opened');
	makeFolder(folder);
	await sweep(folder).catch(() => {});
	const path = join(folder, `svc-tui-open-${randomBytes(16).toString('hex')}.${kind}`);
	await writeFile(path, content, {flag: 'wx', mode: 0o600});
	removeLater(path, livesS);
	return path;
};
