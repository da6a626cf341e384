// @module-tag long
import {mkdtemp, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {findJupyter} from '../../src/engines/jupyter/installation.ts';
import {interceptingProxy} from '../support/intercepting-proxy.ts';
import {newHome} from '../support/program.ts';
import {openIndex, openMirror, wheel} from '../support/wheels.ts';
import {shell} from './support.ts';

test('env creates an environment, shows it, allows its download and removes it; a server has its packages', async () => {
	await using home = await newHome();
	const folder = await mkdtemp(join(home.folder, 'mirror-'));
	const wheels = [
		wheel('pandas', 'import matplotlib\nNAME = "a frame"\n', ['matplotlib']),
		wheel('matplotlib', 'NAME = "a figure"\n'),
	];
	await using mirror = await openMirror(wheels, folder);
	const env = {SVC_PYODIDE_URL: mirror.url.href, SVC_PYODIDE_LOCK: mirror.lockFile};
	const run = async (line: string) => {
		const {code, stdout, stderr} = await shell(line, {home, env});
		return {code, stdout: stdout.toString(), stderr};
	};
	expect(await run('svc-tui env create plots pandas matplotlib')).toMatchObject({
		code: 0,
		stdout: expect.stringMatching(
			/^plots was created\. plots needs 2 files \(1\.\d kB\) from 127\.0\.0\.1:\d+\.\n$/,
		),
	});
	expect(await run('svc-tui env create bad nothing')).toMatchObject({
		code: 1,
		stderr: expect.stringContaining("Pyodide's distribution has no package nothing."),
	});
	const create = 'svc-tui server create lab --environment plots --compute svc-medium';
	expect(await run(create)).toMatchObject({
		code: 1,
		stderr: expect.stringContaining('svc-tui env allow plots'),
	});
	expect(mirror.asked).toEqual([]);
	expect(await run('svc-tui env allow plots')).toMatchObject({
		code: 0,
		stdout: expect.stringMatching(/^The next start downloads 2 files \(1\.\d kB\) from /),
	});
	const code = `import pandas, matplotlib; print(pandas.NAME, matplotlib.NAME)`;
	expect(await run(`${create} && svc-tui run lab -c '${code}'`)).toMatchObject({
		code: 0,
		stdout: expect.stringContaining('a frame a figure\n'),
	});
	const shown = await run('svc-tui env show plots && svc-tui env list && svc-tui env list --json');
	expect(shown.code).toBe(0);
	expect(shown.stdout).toMatch(/^from +Pyodide 314\.0\.7, embedded in this program$/m);
	expect(shown.stdout).toMatch(/^servers +lab$/m);
	expect(shown.stdout).toMatch(/^packages +matplotlib 1\.0, pandas 1\.0$/m);
	expect(shown.stdout).toMatch(/^at start +ready$/m);
	expect(shown.stdout).toMatch(/^plots +ready +3\.14\.2 +2 +1\.\d kB +Pyodide/m);
	expect(shown.stdout).toMatch(/^data +ready +3\.14\.2/m);
	expect(shown.stdout).toContain('"environment_id": "plots"');
	expect(await run('svc-tui env rm plots')).toMatchObject({
		code: 2,
		stderr: expect.stringContaining('plots is the environment of lab. Nothing was removed.'),
	});
	expect(await run('svc-tui env rm plots --yes')).toMatchObject({code: 0, stdout: 'plots was removed.\n'});
});

test('packages come through a proxy with a certificate of its own, from the mirror and from the index', async () => {
	await using home = await newHome();
	const folder = await mkdtemp(join(home.folder, 'mirror-'));
	await using mirror = await openMirror([wheel('frames', 'NAME = "three rows"\n')], folder);
	await using index = await openIndex([
		wheel('extra', 'import more\nNAME = more.NAME\n', ['more']),
		wheel('more', 'NAME = "added"\n'),
	]);
	await using proxy = await interceptingProxy('packages.invalid', path =>
		path.startsWith('/full/') ? mirror.url.href : index.url,
	);
	const authority = join(folder, 'authority.pem');
	await writeFile(authority, proxy.cert);
	const env = {
		SVC_PYODIDE_URL: 'https://packages.invalid/full/',
		SVC_PYODIDE_LOCK: mirror.lockFile,
		PIP_INDEX_URL: 'https://packages.invalid/simple/',
		HTTPS_PROXY: proxy.url,
	};
	const start = 'svc-tui server create lab --environment tables --compute svc-medium --download --wait';
	const {stderr} = await shell(`svc-tui env create tables frames && ${start}`, {home, env});
	expect(stderr).toMatch(
		/The certificate of packages\.invalid is not trusted \(\w+\), so frames-1\.0.* NODE_EXTRA_CA_CERTS/,
	);
	expect(mirror.asked).toEqual([]);
	await shell('svc-tui local stop', {home, env});

	const code = '%pip install extra\nimport frames, extra\nprint(frames.NAME, extra.NAME)';
	const found = await shell(`svc-tui server start lab --download --wait && svc-tui run lab -c '${code}'`, {
		home,
		env: {...env, SSL_CERT_FILE: authority},
	});
	expect([found.code, found.stderr]).toEqual([0, expect.any(String)]);
	expect(found.stdout.toString()).toMatch(
		/Downloading packages from packages\.invalid: .*\nInstalled extra 1\.0\nthree rows added\n/,
	);
	expect(mirror.asked).toHaveLength(1);
	expect(index.asked).toEqual(['extra-1.0-py3-none-any.whl', 'more-1.0-py3-none-any.whl']);
	expect(new Set(proxy.hosts)).toEqual(new Set(['packages.invalid:443']));
});

test.skipIf(findJupyter(process.env) === null)(
	'with Jupyter Server, env creates an environment from requirements, and its first start builds it',
	async () => {
		await using home = await newHome();
		await using index = await openIndex([wheel('frames', 'NAME = "three rows"\n')]);
		const env = {SVC_ENGINE: 'jupyter', PIP_INDEX_URL: index.url};
		const run = async (line: string) => {
			const {code, stdout, stderr} = await shell(line, {home, env});
			return {code, stdout: stdout.toString(), stderr};
		};
		expect(await run('svc-tui env create tables frames --system')).toMatchObject({
			code: 0,
			stdout: 'tables was created. It is built before its first start.\n',
		});
		expect(await run('svc-tui env create bad -- --user')).toMatchObject({
			code: 1,
			stderr: expect.stringContaining('"--user" is not a requirement'),
		});
		expect((await run('svc-tui env show tables')).stdout).toMatch(
			/^at start +It is built before the first start\.$/m,
		);
		const create = 'svc-tui server create lab --environment tables --compute svc-medium --wait';
		const code = 'import frames; print(frames.NAME)';
		expect(await run(`${create} && svc-tui run lab -c '${code}'`)).toMatchObject({
			code: 0,
			stdout: expect.stringContaining('three rows\n'),
		});
		const {stdout} = await run('svc-tui env show tables && svc-tui env list');
		expect(stdout).toMatch(/^from +Built in \S+\/environments\/tables, on \S+ and its packages$/m);
		expect(stdout).toMatch(/^servers +lab$/m);
		expect(stdout).toMatch(/^packages +.*frames 1\.0/m);
		expect(stdout).toMatch(/^installing +In a cell, %pip install NAME changes this environment/m);
		expect(stdout).toMatch(/^tables +ready +3\.\d+\.\d+ +\d+ +\d+\.\d MB +Built in/m);
		expect(stdout).toMatch(/^ai +ready +3\.\d+\.\d+ +\d+ +\? +The Python of this machine/m);
		expect(await run('svc-tui env rm tables --yes')).toMatchObject({
			code: 0,
			stdout: 'tables was removed.\n',
		});
	},
);
