// A page on disk that leads to an address: everyone on this machine may read the arguments of a program, only its owner this file.
import {pathToFileURL} from 'node:url';
import {escapeHtml} from '../text/output/entities.ts';
import {openedFile} from './opened-file.ts';

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
