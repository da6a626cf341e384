import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {findPythons} from '../../../src/engines/jupyter/pythons.ts';
import {tempFolder} from '../../support/temp-folder.ts';

// Fake folders as documented, because neither Debian nor npm has conda. Nothing in them is run.
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
	// Folders that lack ipykernel, or lack a Python, or do not contain an environment.
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

// Fake folders as documented, because neither Debian nor npm has pyenv or uv. Nothing in them is
// run.
test('Pythons of pyenv and uv are found in their folders, not their shims', () => {
	using temp = tempFolder();
	const python = (folder: string, version = '3.13'): void => {
		for (const path of ['bin/python', `lib/python${version}/site-packages/ipykernel_launcher.py`]) {
			mkdirSync(dirname(join(temp.path, folder, path)), {recursive: true});
			writeFileSync(join(temp.path, folder, path), '');
		}
	};
	const ids = (environment: NodeJS.ProcessEnv = {}): readonly (readonly [string, string])[] =>
		findPythons({HOME: temp.path, ...environment}).map(({id, program}) => [id, program]);
	python('.pyenv/versions/3.13.2');
	python('.pyenv/shims');
	python('.local/share/uv/python/cpython-3.14.0-linux-x86_64-gnu', '3.14');
	mkdirSync(join(temp.path, '.pyenv/versions/3.12.1/bin'), {recursive: true});
	expect(ids()).toEqual([
		['pyenv-3.13.2', join(temp.path, '.pyenv/versions/3.13.2/bin/python')],
		[
			'uv-cpython-3.14.0-linux-x86_64-gnu',
			join(temp.path, '.local/share/uv/python/cpython-3.14.0-linux-x86_64-gnu/bin/python'),
		],
	]);
	python('elsewhere/versions/3.11.9', '3.11');
	python('pythons/cpython-3.10');
	expect(
		ids({PYENV_ROOT: join(temp.path, 'elsewhere'), UV_PYTHON_INSTALL_DIR: join(temp.path, 'pythons')}),
	).toEqual([
		['pyenv-3.11.9', join(temp.path, 'elsewhere/versions/3.11.9/bin/python')],
		['uv-cpython-3.10', join(temp.path, 'pythons/cpython-3.10/bin/python')],
	]);
	// Virtual environments of pyenv are in the same folder as its Pythons.
	python('elsewhere/versions/lab');
	writeFileSync(join(temp.path, 'elsewhere/versions/lab/pyvenv.cfg'), '');
	expect(ids({PYENV_ROOT: join(temp.path, 'elsewhere')}).map(([id]) => id)).toContain('venv-lab');
});
