import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** Creates a folder, which is deleted with its content at the end of the scope. */
export const tempFolder = (): {readonly path: string; [Symbol.dispose](): void} => {
	const path = mkdtempSync(join(tmpdir(), 'svc-tui-test-'));
	return {path, [Symbol.dispose]: () => rmSync(path, {recursive: true, force: true})};
};
