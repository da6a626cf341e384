// Opens a web address in the browser of this machine, for screens and commands.
import {openerOf, started} from './open-outside.ts';
import {pathToFileURL} from 'node:url';
import {escapeHtml} from '../text/output/entities.ts';
import {openedFile} from './opened-file.ts';

/**
 * HTML that redirects a browser to a normalized address. The browser gets a file instead of the
 * address, because all users of this machine can read a program's arguments, but only the owner can
 * read the file.
 */
export const redirectHtml = (address: string): string => `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>svc-tui</title>
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<meta http-equiv="refresh" content="0;url=${escapeHtml(address)}">
</head><body><a href="${escapeHtml(address)}">Open the server</a></body></html>
`;

/**
 * Writes the page, which is deleted later, and returns its `file:` address. @throws Node's error if
 * it cannot be written.
 */
export const redirectPage = async (
	address: string,
	options: Parameters<typeof openedFile>[2] = {},
): Promise<string> => pathToFileURL(await openedFile('html', redirectHtml(address), options)).href;

/** Normalized web address. Null if it is not one. */
const webAddress = (address: string): URL | null => {
	const url = URL.canParse(address) ? new URL(address) : null;
	return url !== null && ['http:', 'https:'].includes(url.protocol) ? url : null;
};

/**
 * True if the address may contain a secret. Services put tokens after `?` and `#`, before `@`, and
 * in the path.
 */
const mayHoldSecret = ({username, password, search, hash, href}: URL, token: string | null): boolean =>
	`${username}${password}${search}${hash}` !== '' ||
	(token !== null && token !== '' && href.toLowerCase().includes(token.toLowerCase()));

/**
 * Opens an address in the browser. Returns false if there is no browser, or if it does not start.
 * `token`: the server's, if known. A token is never passed in an argument: the browser gets a
 * private page that redirects it.
 * @throws Node's error if that page cannot be written.
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
