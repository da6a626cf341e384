// How a folder of the user's own is handed to their local service: in a file of the service's data folder, which only its owner can write to. A
// request over HTTP names the file, never the folder: who has only the key, or leads a browser or another program to the port, opens none.
import {randomBytes} from 'node:crypto';
import {rmSync} from 'node:fs';
import {join} from 'node:path';
import {writeAtOnce} from '../machine/atomic-write.ts';
import {makeFolder} from '../machine/make-folder.ts';
import {readPrivate} from '../machine/private-file.ts';

const placeOf = (dataFolder: string, grant: string): string => join(dataFolder, 'granted', grant);

/** Leaves it for the service. Answers its name and how it is taken back, which is to be done in any case. */
export const grantFolder = (
	dataFolder: string,
	folder: string,
): {readonly grant: string; [Symbol.dispose](): void} => {
	const grant = randomBytes(16).toString('hex');
	makeFolder(join(dataFolder, 'granted'));
	writeAtOnce(placeOf(dataFolder, grant), folder);
	return {grant, [Symbol.dispose]: () => rmSync(placeOf(dataFolder, grant), {force: true})};
};

/** The folder that a file of the owner grants; null where there is none. */
export const grantedFolder = (dataFolder: string, grant: string): string | null => {
	if (!/^[0-9a-f]{32}$/.test(grant)) return null;
	const read = readPrivate(placeOf(dataFolder, grant));
	return 'text' in read ? read.text : null;
};
