// Runs first, before anything large is imported: the terminal is made ready and the compile cache is on, so that keys typed
// while the program loads are kept and the first frame lands on a clean screen.
import {existsSync} from 'node:fs';
import module from 'node:module';
import {homedir} from 'node:os';
import {join} from 'node:path';
import {takeTerminal} from './terminal.ts';

const NEEDED = [24, 21] as const;
const OPTIONS_WITH_VALUE = new Set(['--base-url', '--profile', '--api-key-file', '--ca-file', '--theme']);

/** True when no command is named, or `open`: the full-screen program. */
const isFullScreen = (args: readonly string[]): boolean => {
	if (args.some(arg => ['-h', '--help', '-V', '--version'].includes(arg))) return false;
	for (let index = 0; index < args.length; index++) {
		const arg = args[index] ?? '';
		if (OPTIONS_WITH_VALUE.has(arg)) index++;
		else if (!arg.startsWith('-')) return arg === 'open';
	}
	return true;
};

const whyNoScreen = (): string | undefined => {
	if (!process.stdin.isTTY || !process.stdout.isTTY) return 'The full-screen program needs a terminal on standard input and output.';
	if (process.env['TERM'] === 'dumb') return 'This terminal (TERM=dumb) cannot show a full-screen program.';
	return undefined;
};

const start = async (args: readonly string[]): Promise<void> => {
	module.enableCompileCache(join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'svc-tui', 'compiled'));
	if (!isFullScreen(args)) {
		const {runCommand} = await import('./main-command.ts');
		await runCommand(args);
		return;
	}
	const obstacle = whyNoScreen();
	if (obstacle !== undefined) {
		process.stderr.write(`${obstacle} The commands work without one: svc-tui --help\n`);
		process.exitCode = 64;
		return;
	}
	// Chalk, which Ink's own components use, knows FORCE_COLOR only; Node warns when both are set.
	if (process.env['NO_COLOR']) {
		delete process.env['NO_COLOR'];
		process.env['FORCE_COLOR'] = '0';
	}
	const terminal = takeTerminal();
	const {runScreens} = await import('./main.tsx');
	await runScreens(args, terminal);
};

// The launcher's, read when the process began: not for the kernels and editors that we start.
if (process.env['MALLOC_ARENA_MAX'] === '01') delete process.env['MALLOC_ARENA_MAX'];
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) {
	await start(process.argv.slice(2));
} else {
	const own = join(import.meta.dirname, '../node_modules/node/bin/node');
	if (existsSync(own)) {
		const {spawnSync} = await import('node:child_process');
		process.exitCode = spawnSync(own, process.argv.slice(1), {stdio: 'inherit'}).status ?? 1;
	} else {
		process.stderr.write(`svc-tui needs Node ${NEEDED.join('.')} or newer; this is ${process.versions.node}. Install a newer one from nodejs.org, or use a clone after npm ci, which brings its own.\n`);
		process.exitCode = 64;
	}
}
