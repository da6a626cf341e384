import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** Creates a folder, which is deleted with its content at the end of the scope. */
export const tempFolder = async (): Promise<AsyncDisposable & {readonly path: string}> => {
	const path = await mkdtemp(join(tmpdir(), 'svc-tui-files-'));
	return {path, [Symbol.asyncDispose]: () => rm(path, {recursive: true, force: true})};
};
