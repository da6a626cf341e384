import {lstat, readdir} from 'node:fs/promises';
import {join} from 'node:path';

/**
 * Total size of the files in a folder, in bytes. Does not follow links. 0 if the folder is missing.
 */
export const folderSize = async (folder: string): Promise<number> => {
	const entries = await readdir(folder, {withFileTypes: true}).catch(() => []);
	let sum = 0;
	for (const entry of entries) {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) sum += await folderSize(path);
		else if (entry.isFile())
			sum += await lstat(path).then(
				({size}) => size,
				() => 0,
			);
	}
	return sum;
};
