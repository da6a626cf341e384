// Gives a web address to the browser of this machine, as the composition roots of screens and commands do it.
import {spawn} from 'node:child_process';

type Opener = {readonly command: string; readonly args: readonly string[]};

/** What opens a web address here; null where there is no browser to see: over SSH, or without a display. */
const openerOf = (env: NodeJS.ProcessEnv, platform: NodeJS.Platform): Opener | null => {
	if (env['BROWSER']) return {command: env['BROWSER'], args: []};
	if (env['SSH_CONNECTION'] || env['SSH_TTY']) return null;
	if (platform === 'darwin') return {command: 'open', args: []};
	if (platform === 'win32') return {command: 'rundll32', args: ['url.dll,FileProtocolHandler']};
	return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? {command: 'xdg-open', args: []} : null;
};

/** True once the browser was started with the address; false when there is none here, or it could not be started. */
export const openAddress = async (address: string, env: NodeJS.ProcessEnv, platform = process.platform): Promise<boolean> => {
	const opener = openerOf(env, platform);
	// Only web addresses, and never one that could be read as an option.
	if (opener === null || !/^https?:\/\//i.test(address)) return false;
	const {SVC_API_KEY: _, ...rest} = env;
	return new Promise(resolve => {
		const child = spawn(opener.command, [...opener.args, address], {detached: true, stdio: 'ignore', env: rest});
		child.once('error', () => resolve(false));
		child.once('spawn', () => {
			child.unref();
			resolve(true);
		});
	});
};
