// Gives a picture to the viewer of this system, as a file that was written here.
import {openedFile} from './opened-file.ts';
import {openerOf, started} from './open-outside.ts';

/** `png`: bytes of our own making. False when there is no viewer here. @throws Node's error when the file cannot be written */
export const openPicture = async (
	png: Uint8Array,
	env: NodeJS.ProcessEnv,
	platform = process.platform,
): Promise<boolean> => {
	const opener = openerOf(env, platform);
	return opener !== null && started(opener, await openedFile('png', png), env);
};
