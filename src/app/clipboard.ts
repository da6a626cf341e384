// Copies text to all available clipboards, and returns the outcome as far as it is known.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {accessSync, constants} from 'node:fs';
import {delimiter, join} from 'node:path';
import type {Copied} from '../tui/core/store/deps.ts';

type Copier = readonly [command: string, ...args: readonly string[]];

/**
 * Clipboard programs of the user's machine. None over SSH, because they would run on the remote
 * machine.
 */
const localCopiers = (env: NodeJS.ProcessEnv, platform: NodeJS.Platform): readonly Copier[] => {
	if (env['SSH_CONNECTION'] || env['SSH_TTY']) return [];
	if (platform === 'darwin') return [['pbcopy']];
	return [
		...(env['WAYLAND_DISPLAY'] ? [['wl-copy'] as const] : []),
		...(env['DISPLAY']
			? [['xclip', '-selection', 'clipboard', '-in'] as const, ['xsel', '--clipboard', '--input'] as const]
			: []),
	];
};

const isThere = (command: string, env: NodeJS.ProcessEnv): boolean =>
	(env['PATH'] ?? '').split(delimiter).some(folder => {
		try {
			accessSync(join(folder, command), constants.X_OK);
			return folder !== '';
		} catch {
			return false;
		}
	});

/**
 * OSC 52 sequence, with which the terminal copies the text to the clipboard of its own machine. For
 * GNU screen, the sequence is sent in pieces.
 */
const osc52 = (text: string, env: NodeJS.ProcessEnv): string => {
	const command = `\u001B]52;c;${Buffer.from(text).toString('base64')}\u0007`;
	return env['STY'] ? command.replaceAll(/[^]{1,200}/g, piece => `\u001BP${piece}\u001B\\`) : command;
};

type Here = {
	readonly env: NodeJS.ProcessEnv;
	readonly platform?: NodeJS.Platform;
	readonly write: (bytes: string) => void;
	/** Time limit of a program, in ms. */
	readonly patience?: number;
};

/**
 * Runs a clipboard program with the text on standard input, never in an argument. The program may
 * outlive this one, because it serves the clipboard.
 */
const runs = async (
	[command, ...args]: Copier,
	text: string,
	{env: {SVC_API_KEY: _, ...env}, patience = 2000}: Here,
): Promise<boolean> => {
	try {
		const child = spawn(command, args, {
			stdio: ['pipe', 'ignore', 'ignore'],
			env,
			detached: true,
			timeout: patience,
			killSignal: 'SIGKILL',
		});
		child.stdin.on('error', () => {});
		child.stdin.end(text);
		const [code] = (await once(child, 'exit')) as [number | null];
		return code === 0;
	} catch {
		return false;
	}
};

/**
 * Copies the text. Everything starts before the first await, so that the text is copied even if the
 * program quits immediately.
 */
export const copyText = async (text: string, here: Here): Promise<Copied> => {
	const {env, platform = process.platform, write} = here;
	const copiers = localCopiers(env, platform).filter(([command]) => isThere(command, env));
	const isInTmux = Boolean(env['TMUX']) && isThere('tmux', env);
	const toTmux = isInTmux ? runs(['tmux', 'load-buffer', '-w', '-'], text, here) : Promise.resolve(false);
	let isInClipboard = false;
	for (const copier of copiers) {
		isInClipboard = await runs(copier, text, here);
		if (isInClipboard) break;
	}
	if (isInClipboard) return {isInClipboard, isInTmux: await toTmux, isAsked: false};
	if (!isInTmux) write(osc52(text, env));
	// `-w` also passes the text to the terminal around tmux. The option needs tmux 3.2.
	else if (!(await toTmux)) {
		write(osc52(text, env));
		return {isInClipboard, isInTmux: await runs(['tmux', 'load-buffer', '-'], text, here), isAsked: true};
	}
	return {isInClipboard, isInTmux, isAsked: true};
};
