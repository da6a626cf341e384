// @module-tag long
import {execFile} from 'node:child_process';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';
import {findJupyter} from '../../../src/engines/jupyter/installation.ts';

const KEPT = join(import.meta.dirname, '../../../src/engines/jupyter/kept-channels');
const WATCHER = join(import.meta.dirname, 'late_watcher.py');

test.skipIf(findJupyter(process.env) === null)(
	'a kernel whose code began before Jupyter watched it is busy until that code ends',
	async () => {
		const {stdout} = await promisify(execFile)('/usr/bin/python3', ['-B', WATCHER, KEPT]);
		expect(JSON.parse(stdout)).toEqual({output: 'busy', answered: 'busy', ended: 'idle', thread: 'idle'});
	},
);
