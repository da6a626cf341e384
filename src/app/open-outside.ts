// Starts this system's program for an address or a file, such as its browser.
import {spawn} from 'node:child_process';

export type Opener = {readonly command: string; readonly args: readonly string[]};

/** Program that opens addresses and files. Null over SSH or without a display. */
export const openerOf = (env: NodeJS.ProcessEnv, platform: NodeJS.Platform): Opener | null => {
	if (env['SSH_CONNECTION'] || env['SSH_TTY']) return null;
	if (platform === 'darwin') return {command: 'open', args: []};
	if (platform === 'win32') return {command: 'rundll32', args: ['url.dll,FileProtocolHandler']};
	return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? {command: 'xdg-open', args: []} : null;
};

/** Starts the program. False if it could not be started. */
export const started = async (
	{command, args}: Opener,
	target: string,
	{SVC_API_KEY: _, ...env}: NodeJS.ProcessEnv,
): Promise<boolean> =>
	new Promise(resolve => {
		const child = spawn(command, [...args, target], {detached: true, stdio: 'ignore', env});
		child.once('error', () => resolve(false));
		child.once('spawn', () => {
			child.unref();
			resolve(true);
		});
	});
