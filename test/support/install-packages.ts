// Installs packages that only tests use, in a folder with a separate package.json and lock file.
import {execFile} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join, relative} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {expect, vi} from 'vitest';
import {takeInstanceLock} from '../../src/settings/instance-lock.ts';

/**
 * Time limit in ms of an installation, and of a test file that waits for the installation of
 * another one.
 */
export const INSTALL_MS = 300_000;

const root = fileURLToPath(new URL('../..', import.meta.url));

const npmCi = async (folder: string): Promise<void> => {
	// The npm that runs the tests is used, if there is one; otherwise the npm on PATH.
	const {npm_execpath: npm} = process.env;
	const [file, first] =
		npm !== undefined && /npm-cli\.c?js$/.test(npm) ? [process.execPath, [npm]] : ['npm', []];
	const args = [...first, 'ci', '--prefix', folder, '--ignore-scripts'];
	try {
		await promisify(execFile)(file, args, {cwd: root, timeout: INSTALL_MS});
	} catch (error) {
		const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
		const name = relative(root, folder);
		throw new Error(
			`The packages of ${name} cannot be installed, so nothing was tried against them. Run \`npm ci --prefix ${name} --ignore-scripts\` where the npm registry can be reached.\n${said || String(error)}`,
		);
	}
};

/**
 * Installs the packages of a folder if they are missing or differ from its lock file. Several test
 * files may call it at once.
 */
export const installPackages = async (folder: string): Promise<void> => {
	// Written last. `npm ci` removes it first, so an incomplete installation does not have it.
	const stamp = join(folder, 'node_modules/.installed-from');
	const wanted = createHash('sha256')
		.update(readFileSync(join(folder, 'package.json')))
		.update(readFileSync(join(folder, 'package-lock.json')))
		.digest('hex');
	const isInstalled = (): boolean => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
	if (isInstalled()) return;
	const name = relative(root, folder);
	// The lock is outside the folders that `npm ci` removes.
	const lockFolder = join(root, 'node_modules/.cache/installing', name);
	mkdirSync(lockFolder, {recursive: true});
	const release = await vi.waitFor(
		() => {
			const taken = takeInstanceLock(lockFolder);
			expect(taken, `another test file installs the packages of ${name}`).not.toBeNull();
			return taken;
		},
		{timeout: INSTALL_MS, interval: 100},
	);
	try {
		if (isInstalled()) return;
		console.warn(`${name}: its packages are missing or old; installing them once with npm ci …`);
		await npmCi(folder);
		writeFileSync(stamp, wanted);
	} finally {
		release?.();
	}
};
