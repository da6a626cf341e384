import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {findPythons} from '../../../src/engines/jupyter/pythons.ts';
import {tempFolder} from '../../support/temp-folder.ts';

test("conda's environments and virtualenvwrapper's are found where a kernel can run in them, and no others", () => {
	using temp = tempFolder();
	const touch = (...paths: readonly string[]): void => {
		for (const path of paths) {
			mkdirSync(dirname(join(temp.path, path)), {recursive: true});
			writeFileSync(join(temp.path, path), '');
		}
	};
	const KERNEL = 'lib/python3.12/site-packages/ipykernel_launcher.py';
	touch('envs/science/conda-meta/history', 'envs/science/bin/python', `envs/science/${KERNEL}`);
	// Folders without ipykernel, without a Python, and without an environment.
	touch(
		'envs/bare/conda-meta/history',
		'envs/bare/bin/python',
		'envs/empty/conda-meta/history',
		`envs/empty/${KERNEL}`,
		'envs/folder/bin/python',
		`envs/folder/${KERNEL}`,
	);
	touch(
		'.virtualenvs/deep learning/pyvenv.cfg',
		'.virtualenvs/deep learning/bin/python',
		`.virtualenvs/deep learning/${KERNEL}`,
	);
	touch('project/.venv/pyvenv.cfg', 'project/.venv/bin/python', `project/.venv/${KERNEL}`);
	mkdirSync(join(temp.path, '.conda'));
	writeFileSync(
		join(temp.path, '.conda/environments.txt'),
		['science', 'bare', 'empty', 'folder', 'gone'].map(name => `${join(temp.path, 'envs', name)}\n`).join(''),
	);
	const found = findPythons({HOME: temp.path, VIRTUAL_ENV: join(temp.path, 'project/.venv')});
	expect(found.map(({id, name, program}) => [id, name, program])).toEqual([
		['venv-project', 'project', join(temp.path, 'project/.venv/bin/python')],
		['conda-science', 'science', join(temp.path, 'envs/science/bin/python')],
		['venv-deep_learning', 'deep learning', join(temp.path, '.virtualenvs/deep learning/bin/python')],
	]);
});
