import {realpathSync, statSync} from 'node:fs';
import type {ServerRecord} from './registry.ts';

const isThere = (folder: string): boolean => {
	try {
		return statSync(folder).isDirectory() && realpathSync(folder) === folder;
	} catch {
		return false;
	}
};

/** Reason why a project's server cannot be started now, as sentences. Null if it can. */
export const projectFault = (
	{folder, folder_engine: agreed}: Pick<ServerRecord, 'folder' | 'folder_engine'>,
	engine: string,
): string | null => {
	if (folder === null) return null;
	const place = JSON.stringify(folder);
	if (!isThere(folder))
		return `Its folder ${place} no longer exists. Restore it, or open another one with svc-tui --here.`;
	return agreed === engine
		? null
		: `Its folder ${place} was opened for another engine than ${engine}. Run svc-tui --here in it to confirm again.`;
};
