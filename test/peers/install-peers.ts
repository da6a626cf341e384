import {execFile} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {expect, vi} from 'vitest';
import {takeInstanceLock} from '../../src/settings/instance-lock.ts';

/** This folder, without a trailing slash. */
export const PEERS = import.meta.dirname;

/** Time limit of an installation, and of a test file that waits for another's, in ms. */
export const INSTALL_MS = 300_000;

const root = fileURLToPath(new URL('../..', import.meta.url));
// Outside the folders that `npm ci` removes.
const lockFolder = join(root, 'node_modules/.cache/peers');
// Written last: `npm ci` removes it first, so a partial installation has none.
const stamp = join(PEERS, 'node_modules/.installed-from');

const wanted = (): string =>
	createHash('sha256')
		.update(readFileSync(join(PEERS, 'package.json')))
		.update(readFileSync(join(PEERS, 'package-lock.json')))
		.digest('hex');
const isInstalled = (): boolean => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted();

const npmCi = async (): Promise<void> => {
	// `npm test` sets the path of its npm; otherwise the npm on PATH is used.
	const {npm_execpath: npm} = process.env;
	const [file, first] =
		npm !== undefined && /npm-cli\.c?js$/.test(npm) ? [process.execPath, [npm]] : ['npm', []];
	const args = [...first, 'ci', '--prefix', PEERS, '--ignore-scripts'];
	try {
		await promisify(execFile)(file, args, {cwd: root, timeout: INSTALL_MS});
	} catch (error) {
		const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
		throw new Error(
			`The packages of test/peers cannot be installed, so nothing was tried against them. Run \`npm ci --prefix test/peers --ignore-scripts\` where the npm registry can be reached.\n${said || String(error)}`,
		);
	}
};

/**
 * Installs the peers' packages if they are missing or differ from the lock file. Several test files
 * may call it at once.
 */
export const installPeers = async (): Promise<void> => {
	if (isInstalled()) return;
	mkdirSync(lockFolder, {recursive: true});
	const release = await vi.waitFor(
		() => {
			const taken = takeInstanceLock(lockFolder);
			expect(taken, 'another test file installs the packages of test/peers').not.toBeNull();
			return taken;
		},
		{timeout: INSTALL_MS, interval: 100},
	);
	try {
		if (isInstalled()) return;
		console.warn('test/peers: its packages are missing or old; installing them once with npm ci …');
		const from = wanted();
		await npmCi();
		writeFileSync(stamp, from);
	} finally {
		release?.();
	}
};
