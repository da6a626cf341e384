// Runs first, before any large import. Prepares the terminal and the compile cache, so that keys
// typed during loading are not lost and the first frame appears on a clean screen.
import {existsSync, readFileSync} from 'node:fs';
import module from 'node:module';
import {join} from 'node:path';
import {configFolder, xdgFolder} from '../machine/home.ts';
import {makeFolder} from '../machine/make-folder.ts';
import {loadCommands, loadScreens, loadService} from './load-main.ts';
import {openLineTerminal} from './screen-reader/terminal.ts';
import {takeTerminal} from './terminal.ts';

const NEEDED = [24, 21] as const;
const OPTIONS_WITH_VALUE = new Set([
	...['--base-url', '--profile', '--api-key-file', '--theme'],
	...['--ca-file', '--client-cert-file', '--client-key-file'],
]);

/** True if the arguments start the screens: without a command, or with `open`. */
const isFullScreen = (args: readonly string[]): boolean => {
	if (args.some(arg => ['-h', '--help', '-V', '--version', '--json', '--jsonl'].includes(arg))) return false;
	for (let index = 0; index < args.length; index++) {
		const arg = args[index] ?? '';
		if (OPTIONS_WITH_VALUE.has(arg)) index++;
		else if (!arg.startsWith('-')) return arg === 'open';
	}
	return true;
};

const whyNoScreen = (readOut: boolean): string | undefined => {
	if (!process.stdin.isTTY || !process.stdout.isTTY)
		return 'The full-screen program needs a terminal on standard input and output.';
	if (process.env['TERM'] === 'dumb' && !readOut)
		return 'This terminal (TERM=dumb) cannot show a full-screen program.';
	return undefined;
};

const settingsText = async (): Promise<string> => {
	const isElsewhere = process.platform === 'darwin' || process.platform === 'win32';
	const folder = isElsewhere ? (await import('../machine/paths.ts')).paths().config : configFolder();
	try {
		return readFileSync(join(folder, 'settings.json'), 'utf8');
	} catch {
		return '';
	}
};

/**
 * True if screen-reader mode is requested. The settings are parsed only if they contain the
 * option's name, because parsing delays the first frame.
 */
const isReadOut = async (args: readonly string[]): Promise<boolean> => {
	if (args.includes('--screen-reader')) return true;
	const text = await settingsText();
	if (!text.includes('screenReader')) return false;
	const {readJson} = await import('../settings/json-text.ts');
	const read = readJson(text);
	return 'value' in read && (read.value as {screenReader?: unknown} | null)?.screenReader === true;
};

/** Caches compiled code for the next start, if the folder can be created. */
const useCompiled = (): void => {
	const folder = join(xdgFolder('XDG_CACHE_HOME', '.cache'), 'svc-tui', 'compiled');
	try {
		// Not `mkdir` with `recursive`, which never ends below /proc.
		makeFolder(folder);
	} catch {
		return;
	}
	module.enableCompileCache(folder);
};

/** Node that npm installed. The launcher looks for it in the same place. */
const ownNode = (): string | undefined => {
	try {
		return module.createRequire(import.meta.url).resolve(`node-linux-${process.arch}/bin/node`);
	} catch {
		return undefined;
	}
};

const howToInstall = (): string => {
	if (process.platform === 'darwin') return 'brew install node@24';
	return existsSync('/etc/alpine-release') ? 'apk add nodejs' : 'npx --yes n 24';
};

const start = async (args: readonly string[]): Promise<void> => {
	useCompiled();
	if (args[0] === 'serve' && !args.some(arg => arg === '--help' || arg === '-h')) {
		const {serve, keepCompiled} = await loadService();
		await serve(args.slice(1), process.env);
		keepCompiled();
		return;
	}
	if (!isFullScreen(args)) {
		const {runCommand, keepCompiled} = await loadCommands();
		await runCommand(args);
		keepCompiled();
		return;
	}
	const readOut = await isReadOut(args);
	const obstacle = whyNoScreen(readOut);
	if (obstacle !== undefined) {
		process.stderr.write(`${obstacle} The commands work without one: svc-tui --help\n`);
		process.exitCode = 64;
		return;
	}
	let given: readonly string[] | null = args;
	if (args.includes('--here')) given = await (await import('./here-option.ts')).resolveHereOption(args);
	if (given === null) return;
	// Chalk, which Ink's own components use, supports only FORCE_COLOR. NO_COLOR is removed,
	// because Node warns if both are set.
	if (process.env['NO_COLOR']) {
		delete process.env['NO_COLOR'];
		process.env['FORCE_COLOR'] = '0';
	}
	const isInScreen = Boolean(process.env['STY']) && !process.env['TMUX'];
	const terminal = readOut ? openLineTerminal() : takeTerminal(process.env['TERM'], isInScreen);
	const {runScreens, keepCompiled} = await loadScreens();
	await runScreens(given, terminal, keepCompiled);
};

// SIGUSR1 opens Node's inspector by default, and every program of this machine could then use it.
// Node's own flag is not used here, because it has further effects and some versions do not support
// it.
process.on('SIGUSR1', () => {});
// The launcher sets this variable for this process only, and not for the kernels and editors that
// it starts.
if (process.env['MALLOC_ARENA_MAX'] === '01') delete process.env['MALLOC_ARENA_MAX'];
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) {
	await start(process.argv.slice(2));
} else {
	const own = ownNode();
	if (own !== undefined) {
		const {spawnSync} = await import('node:child_process');
		process.exitCode = spawnSync(own, process.argv.slice(1), {stdio: 'inherit'}).status ?? 1;
	} else {
		process.stderr.write(
			`svc-tui needs Node ${NEEDED.join('.')} or newer; this is ${process.versions.node}. Install one: ${howToInstall()}\n`,
		);
		process.exitCode = 64;
	}
}
