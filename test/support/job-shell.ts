import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Replies} from './pictures.ts';
import {processesUsing} from './processes.ts';
import type {Home} from './program.ts';
import {openTerminal, type Terminal} from './terminal.ts';

/** An interactive shell with job control in a terminal. */
export type JobShell = AsyncDisposable & {
	readonly terminal: Terminal;
	/** Types a command line and waits for its output. */
	run(line: string, until: string | RegExp): Promise<string>;
	/** Waits until the shell answers a new command. Output of an earlier one does not count. */
	answers(): Promise<void>;
	/** Settings of the terminal line (`stty -g`), as a command in the shell sees them. */
	lineSettings(): Promise<string>;
	/** Process id of the full-screen program that the shell runs. */
	programPid(): Promise<number>;
};

export const PROMPT = 'person$ ';

/**
 * Matches the output of a command and the prompt below it. Text that was typed before the prompt
 * appears above the prompt, and an old prompt must not count as the next one. If the command was
 * typed ahead, its output follows the prompt.
 */
const answered = (mark: string): RegExp =>
	new RegExp(String.raw`^(?:person\$ )?${mark}$[^]*^person\$\s*(?![^])`, 'm');

/** State of a process as shown by `ps`: `T` is stopped. Undefined if there is none. */
export const processState = async (pid: number): Promise<string | undefined> => {
	try {
		return /\) (\w)/.exec(await readFile(`/proc/${pid}/stat`, 'utf8'))?.[1];
	} catch {
		return undefined;
	}
};

export const openJobShell = async (
	home: Home,
	shell: readonly string[],
	cwd = home.folder,
	replies?: Replies,
): Promise<JobShell> => {
	// The shell's line editor would turn on bracketed paste, which must not look like an effect of
	// the program.
	await writeFile(join(home.folder, '.inputrc'), 'set enable-bracketed-paste off\n');
	const terminal = await openTerminal({
		command: shell,
		env: {...home.env, PS1: PROMPT, npm_config_update_notifier: 'false'},
		cwd,
		...(replies && {replies}),
	});
	await terminal.until(PROMPT);
	let asked = 0;
	return {
		terminal,
		async run(line, until) {
			terminal.type(`${line}\r`);
			return terminal.until(until);
		},
		async answers() {
			const mark = `answer-${++asked}`;
			// The shell joins the mark from two parts, so that the typed line does not contain it.
			terminal.type(`echo ${mark.replace('-', '-""')}\r`);
			await terminal.until(answered(mark));
		},
		async lineSettings() {
			const mark = `asked-${++asked}`;
			const file = join(home.folder, mark);
			terminal.type(`stty -g > ${file}; echo done-${mark.replace('-', '-""')}\r`);
			await terminal.until(answered(`done-${mark}`));
			return (await readFile(file, 'utf8')).trim();
		},
		async programPid() {
			const found = (await processesUsing(home.folder)).filter(({command}) => /boot\.js *$/.test(command));
			if (found.length !== 1) throw new Error(`${found.length} programs run instead of one`);
			return found[0]!.pid;
		},
		[Symbol.asyncDispose]: () => terminal[Symbol.asyncDispose](),
	};
};
