// Opens a page of this program in a browser of this machine.
import {pathToFileURL} from 'node:url';
import {openedFile} from './opened-file.ts';
import {openerOf, started} from './open-outside.ts';

/**
 * `html`: a self-contained page. Returns false if there is no browser.
 * @throws Node's error if the file cannot be written.
 */
export const openPage = async (
	html: string,
	env: NodeJS.ProcessEnv,
	platform = process.platform,
): Promise<boolean> => {
	const opener = env['BROWSER'] ? {command: env['BROWSER'], args: []} : openerOf(env, platform);
	return opener !== null && started(opener, pathToFileURL(await openedFile('html', html)).href, env);
};
