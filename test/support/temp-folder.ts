import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** A new folder that is removed with all that is in it at the end of its block. */
export const tempFolder = (): {readonly path: string; [Symbol.dispose](): void} => {
	const path = mkdtempSync(join(tmpdir(), 'svc-tui-test-'));
	return {path, [Symbol.dispose]: () => rmSync(path, {recursive: true, force: true})};
};
