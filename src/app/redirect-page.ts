// A page on disk that leads to an address: everyone on this machine may read the arguments of a program, only its owner this file.
import {spawn} from 'node:child_process';
import {randomBytes} from 'node:crypto';
import {existsSync} from 'node:fs';
import {readdir, rm, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {homeFolder} from '../state/home.ts';
import {makeFolder} from '../state/make-folder.ts';
import {paths} from '../state/paths.ts';
import {escapeHtml} from '../text/output/entities.ts';

const LIVES_S = 60;
const NAME = /^svc-tui-open-[\da-f]{32}\.html$/;
/** A browser from a snap, as Ubuntu's are, reads no hidden folder and sees another /tmp. */
const SNAPS = '/snap/bin';

/** HTML that sends a browser on. `address` is one that `URL` has written. */
export const redirectHtml = (address: string): string => `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>svc-tui</title>
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<meta http-equiv="refresh" content="0;url=${escapeHtml(address)}">
</head><body><a href="${escapeHtml(address)}">Open the server</a></body></html>
`;

/** What a program that was killed has left. */
const sweep = async (folder: string): Promise<void> => {
	for (const name of await readdir(folder)) {
		const path = join(folder, name);
		if (NAME.test(name) && Date.now() - (await stat(path)).mtimeMs > 2 * LIVES_S * 1000)
			await rm(path, {force: true});
	}
};

/** Outlives a command, which ends before the browser has read the page. Nothing of the page is in its arguments or environment. */
const removeLater = (path: string, seconds: number): void => {
	// A name with a line end in it would be read as another.
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

/** Writes the page, to be gone a while later, and answers its `file:` address. @throws Node's error when it cannot be written. */
export const redirectPage = async (
	address: string,
	{livesS = LIVES_S, hasSnaps = existsSync(SNAPS)} = {},
): Promise<string> => {
	const folder = hasSnaps ? homeFolder() : join(paths().state, 'opened');
	makeFolder(folder);
	await sweep(folder).catch(() => {});
	const path = join(folder, `svc-tui-open-${randomBytes(16).toString('hex')}.html`);
	await writeFile(path, redirectHtml(address), {flag: 'wx', mode: 0o600});
	removeLater(path, livesS);
	return pathToFileURL(path).href;
};
