// Runs a program in tmux, in a terminal that reports its size in pixels: 10x20 for each cell.
import {execFileSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {findProgram} from '../../src/engines/jupyter/installation.ts';
import type {Replies} from './pictures.ts';
import type {Home} from './program.ts';
import {openTerminal, type Terminal} from './terminal.ts';

const tmux = findProgram('python3', process.env) && findProgram('tmux', process.env);
export const hasTmux = tmux !== undefined;
if (!hasTmux)
	console.warn('\n*** SKIPPED: nothing was tried in tmux: it is not installed, or Python is not ***\n');

/** Script that runs a program in a terminal with this number of rows, columns and pixels. */
const WITH_PIXELS =
	'import fcntl,os,struct,sys,termios; rows,columns=map(int,sys.argv[1:3]); fcntl.ioctl(0,termios.TIOCSWINSZ,struct.pack("HHHH",rows,columns,columns*10,rows*20)); os.execvp(sys.argv[3],sys.argv[3:])';

export type InTmux = AsyncDisposable & {
	/** The terminal in which tmux runs. */
	readonly terminal: Terminal;
	/** Bytes that tmux wrote to the terminal. They include tmux's own output. */
	written(): string;
};

export const openInTmux = async ({
	home,
	settings,
	replies,
	command,
	columns,
	rows,
}: {
	readonly home: Home;
	readonly settings: string;
	readonly replies: Replies;
	/** Command line for the shell. */
	readonly command: string;
	readonly columns: number;
	readonly rows: number;
}): Promise<InTmux> => {
	const [socket, config] = [join(home.folder, 'tmux'), join(home.folder, 'tmux.conf')];
	writeFileSync(config, `${settings}\nset -g remain-on-exit on\n`);
	// Waits, because tmux receives the terminal's name only after its first pane exists.
	const heard =
		'\u001B[>q' in replies ? `until tmux display -p '#{client_termtype}' | grep -q .; do :; done; ` : '';
	const server = ['-S', socket, '-f', config];
	const terminal = await openTerminal({
		command: [
			...['python3', '-c', WITH_PIXELS, String(rows), String(columns)],
			...[tmux ?? '', ...server, 'new-session', `${heard}${command}`],
		],
		env: home.env,
		columns,
		rows,
		replies,
	});
	let written = '';
	terminal.onOutput(chunk => (written += chunk));
	return {
		terminal,
		written: () => written,
		async [Symbol.asyncDispose]() {
			execFileSync(tmux ?? '', ['-S', socket, 'kill-server'], {stdio: 'ignore'});
			await terminal[Symbol.asyncDispose]();
		},
	};
};
