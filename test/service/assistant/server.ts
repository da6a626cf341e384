import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {folderFiles} from '../../../src/engines/folder-files.ts';
import type {Files} from '../../../src/engines/files.ts';

/**
 * Creates a server's files in a new folder, which is deleted at the end of the scope. Strings are
 * text, bytes are binary.
 */
export const serverWith = async (
	contents: Readonly<Record<string, string | Uint8Array>>,
): Promise<AsyncDisposable & {readonly files: Files; readonly root: string}> => {
	const root = await mkdtemp(join(tmpdir(), 'svc-tui-assistant-'));
	const files = folderFiles(root);
	for (const [path, content] of Object.entries(contents)) {
		await files.put(
			path,
			typeof content === 'string'
				? {type: 'file', format: 'text', content}
				: {type: 'file', format: 'base64', content: Buffer.from(content).toString('base64')},
		);
	}
	return {files, root, [Symbol.asyncDispose]: () => rm(root, {recursive: true, force: true})};
};

const TRAIN = `"""Trains."""
import csv
from json import loads

def load(path):
    """Reads rows."""
    return [loads(line)
            for line in open(path)]

class Model:
    """A model.

    Of nothing."""
    def fit(self, rows, *, rate=0.1) -> None:
        pass
`;

/** The files of a small project. */
export const PROJECT = {
	'README.md': '# Welcome\n\nHello\n\n## Start here\n\n```sh\n# not a heading\n```\n### More ###\n',
	'src/train.py': TRAIN,
	'data/prices.csv': 'city,price,note\nOslo,2.5,"a, b"\nRome,4,\n"New\nYork",10.25,x|y\n',
	'explore.ipynb': JSON.stringify({
		metadata: {kernelspec: {name: 'python3'}},
		cells: [
			{cell_type: 'markdown', source: ['# Title\n', 'x']},
			{cell_type: 'code', source: 'import csv\nprint(1)', outputs: [{output_type: 'stream'}]},
		],
	}),
	'logo.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff]),
	'notes/übung 1.txt': 'first\nsecond\n',
} as const;
