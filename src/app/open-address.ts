// Gives a web address to the browser of this machine, as the composition roots of screens and commands do it.
import {openerOf, started} from './open-outside.ts';
import {pathToFileURL} from 'node:url';
import {escapeHtml} from '../text/output/entities.ts';
import {openedFile} from './opened-file.ts';

// A page on disk that leads to an address: everyone on this machine may read the arguments of a program, only its owner this file.
/** HTML that sends a browser on. `address` is one that `URL` has written. */
export const redirectHtml = (address: string): string => `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>svc-tui</title>
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<meta http-equiv="refresh" content="0;url=${escapeHtml(address)}">
</head><body><a href="${escapeHtml(address)}">Open the server</a></body></html>
`;

/** Writes the page, to be gone a while later, and answers its `file:` address. @throws Node's error when it cannot be written. */
export const redirectPage = async (
	address: string,
	options: Parameters<typeof openedFile>[2] = {},
): Promise<string> => pathToFileURL(await openedFile('html', redirectHtml(address), options)).href;

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
	const opener = env['BROWSER'] ? {command: env['BROWSER'], args: []} : openerOf(env, platform);
	const url = webAddress(address);
	if (opener === null || url === null) return false;
	return started(opener, mayHoldSecret(url, token) ? await redirectPage(url.href) : address, env);
};
