// Opens a picture in this system's viewer, as a file written here.
import {openedFile} from './opened-file.ts';
import {openerOf, started} from './open-outside.ts';

/**
 * `png`: the file's bytes. Returns false if there is no viewer.
 * @throws Node's error if the file cannot be written.
 */
export const openPicture = async (
	png: Uint8Array,
	env: NodeJS.ProcessEnv,
	platform = process.platform,
): Promise<boolean> => {
	const opener = openerOf(env, platform);
	return opener !== null && started(opener, await openedFile('png', png), env);
};
