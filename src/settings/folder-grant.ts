// Grants the local service access to a folder of the user. A grant is a file in the service's data
// folder, where only the user can write. The HTTP request contains the name of the grant, never the
// folder. Therefore a stolen key, a browser or another program on the port cannot open a folder.
import {randomBytes} from 'node:crypto';
import {rmSync} from 'node:fs';
import {join} from 'node:path';
import {writeAtOnce} from '../machine/atomic-write.ts';
import {makeFolder} from '../machine/make-folder.ts';
import {readPrivate} from '../machine/private-file.ts';

const placeOf = (dataFolder: string, grant: string): string => join(dataFolder, 'granted', grant);

/** Writes a grant for the service. Disposing of the result removes it. */
export const grantFolder = (
	dataFolder: string,
	folder: string,
): {readonly grant: string; [Symbol.dispose](): void} => {
	const grant = randomBytes(16).toString('hex');
	makeFolder(join(dataFolder, 'granted'));
	writeAtOnce(placeOf(dataFolder, grant), folder);
	return {grant, [Symbol.dispose]: () => rmSync(placeOf(dataFolder, grant), {force: true})};
};

/** Folder named by a grant that the user has written. Null if there is no such grant. */
export const grantedFolder = (dataFolder: string, grant: string): string | null => {
	if (!/^[0-9a-f]{32}$/.test(grant)) return null;
	const read = readPrivate(placeOf(dataFolder, grant));
	return 'text' in read ? read.text : null;
};
