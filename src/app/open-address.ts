// Gives a web address to the browser of this machine, as the composition roots of screens and commands do it.
import {spawn} from 'node:child_process';
import {redirectPage} from './redirect-page.ts';

type Opener = {readonly command: string; readonly args: readonly string[]};

/** What opens a web address here; null where there is no browser to see: over SSH, or without a display. */
const openerOf = (env: NodeJS.ProcessEnv, platform: NodeJS.Platform): Opener | null => {
	if (env['BROWSER']) return {command: env['BROWSER'], args: []};
	if (env['SSH_CONNECTION'] || env['SSH_TTY']) return null;
	if (platform === 'darwin') return {command: 'open', args: []};
	if (platform === 'win32') return {command: 'rundll32', args: ['url.dll,FileProtocolHandler']};
	return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? {command: 'xdg-open', args: []} : null;
};

/** An address as a browser would write it; null for one that is none of the web. */
const webAddress = (address: string): URL | null => {
	const url = URL.canParse(address) ? new URL(address) : null;
	return url !== null && ['http:', 'https:'].includes(url.protocol) ? url : null;
};

/** Whatever is not plainly a place may be a secret: services put tokens behind `?` and `#`, before `@`, and in the path. */
const mayHoldSecret = ({username, password, search, hash, href}: URL, token: string | null): boolean =>
	`${username}${password}${search}${hash}` !== '' ||
	(token !== null && token !== '' && href.toLowerCase().includes(token.toLowerCase()));

/**
 * True once the browser was started with the address; false when there is none here, or it could not be started. `token`: the server's, where it is
 * known. No token is in an argument: the browser is given a page of the user's own that leads there.
 * @throws Node's error when that cannot be written
 */
export const openAddress = async (
	address: string,
	token: string | null,
	env: NodeJS.ProcessEnv,
	platform = process.platform,
): Promise<boolean> => {
	const opener = openerOf(env, platform);
	const url = webAddress(address);
	if (opener === null || url === null) return false;
	const target = mayHoldSecret(url, token) ? await redirectPage(url.href) : address;
	const {SVC_API_KEY: _, ...rest} = env;
	return new Promise(resolve => {
		const child = spawn(opener.command, [...opener.args, target], {
			detached: true,
			stdio: 'ignore',
			env: rest,
		});
		child.once('error', () => resolve(false));
		child.once('spawn', () => {
			child.unref();
			resolve(true);
		});
	});
};
