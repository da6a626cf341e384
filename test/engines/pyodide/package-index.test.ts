// `%pip install` of pure wheels from an index on loopback, beside Pyodide's distribution.
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createPackageStore} from '../../../src/engines/pyodide/packages/store.ts';
import {
	compareVersions,
	satisfies,
	specifiersIn,
	versionIn,
} from '../../../src/engines/pyodide/packages/python-version.ts';
import {holds, requirementIn} from '../../../src/engines/pyodide/packages/requirement.ts';
import {tempFolder} from '../../support/temp-folder.ts';
import {openIndex, openMirror, wheel, type Mirror, type PackageIndex} from '../../support/wheels.ts';
import {openPython, printed, value, type Python} from './python.ts';

const labels = wheel('labels', 'NAME = "three rows"\n');

const openWith = async (
	mirror: Mirror,
	index: Pick<PackageIndex, 'url'> | null,
	folder: string,
): Promise<Python> =>
	openPython({
		packages: {
			store: createPackageStore({
				folder: join(folder, 'packages'),
				lockFile: mirror.lockFile,
				source: mirror.url,
				proxyEnv: {},
			}),
			index: {url: index && new URL(index.url), proxyEnv: {}},
			namesOf: () => [],
		},
	});
const reason = async (python: Python, code: string): Promise<unknown> => {
	const last = (await python.run(code)).at(-1);
	return last?.['ename'] === 'InstallError' ? last['evalue'] : last;
};

test.each([false, true])(
	'packages of an index with what they need, once, also offline (JSON: %s)',
	{tags: 'long'},
	async isJson => {
		using temp = tempFolder();
		await using mirror = await openMirror([labels], temp.path);
		const wheels = [
			wheel('charts', 'NAME = "old"\n', [], {version: '1.9'}),
			wheel(
				'charts',
				'import labels, colours\nNAME = f"{labels.NAME} in {colours.NAME}"\n',
				[
					'labels>=1',
					'Colours[names]<3; python_version>="3.8"',
					'winonly; sys_platform == "win32"',
					'slow; extra == "fast"',
				],
				{version: '1.10'},
			),
			wheel('charts', 'NAME = "not yet"\n', [], {version: '2.0rc1'}),
			wheel('colours', 'import shades\nNAME = shades.NAME\n', ['shades; extra == "names"'], {version: '2.5'}),
			wheel('colours', 'NAME = "too new"\n', [], {version: '3.0'}),
			wheel('shades', 'NAME = "blue"\n'),
		];
		const index = await openIndex(wheels, {isJson});
		const install = "%pip install -q 'charts>=1.5'\nimport charts\nprint(charts.NAME)";
		{
			await using python = await openWith(mirror, index, temp.path);
			expect(printed(await python.run(install))).toMatch(/Installed charts 1\.10\nthree rows in blue\n$/);
			// The package is already downloaded, and remains after a restart.
			expect(printed(await python.run('!pip install shades'))).toBe('Installed shades 1.0\n');
			await python.session.kernel?.restart();
			expect(value(await python.run('import charts; charts.NAME'))).toBe("'three rows in blue'");
			expect(index.asked.toSorted()).toEqual([
				'charts-1.10-py3-none-any.whl',
				'colours-2.5-py3-none-any.whl',
				'shades-1.0-py3-none-any.whl',
			]);
			await index[Symbol.asyncDispose]();
		}
		await using later = await openWith(mirror, index, temp.path);
		expect(printed(await later.run(install))).toContain('three rows in blue');
	},
);

test('each failure has its reason, and leaves the kernel as it was', async () => {
	using temp = tempFolder();
	await using mirror = await openMirror([labels], temp.path);
	const wheels = [
		wheel('built', '', [], {tag: 'cp314-cp314-manylinux_2_28_x86_64'}),
		wheel('needs', '', ['built']),
		wheel('lost', '', ['nowhere>=2']),
		wheel('late', '', [], {version: '2.0'}),
		wheel('new', '', []),
		wheel('bare', '', []),
		wheel('gone', '', []),
	];
	await using index = await openIndex(wheels, {
		isJson: true,
		more: ({name}) =>
			name === 'new'
				? {'requires-python': '>=3.99'}
				: name === 'bare'
					? {hashes: {}}
					: name === 'gone'
						? {yanked: 'broken'}
						: {},
	});
	const {host} = new URL(index.url);
	await using python = await openWith(mirror, index, temp.path);
	expect(await reason(python, '%pip install nothing')).toBe(
		`Neither Pyodide's distribution nor the package index ${host} has a package nothing.`,
	);
	expect(await reason(python, '%pip install lost')).toBe(
		`Neither Pyodide's distribution nor the package index ${host} has a package nowhere, which is needed for lost.`,
	);
	for (const name of ['built', 'needs'])
		expect(await reason(python, `%pip install ${name}`)).toMatch(
			/has no pure wheel of built, only sources or builds for other systems, which the embedded Python cannot use/,
		);
	expect(await reason(python, '%pip install "late<2"')).toBe(
		`No pure wheel of late at ${host} fits late<2. Its newest version is 2.0.`,
	);
	expect(await reason(python, '%pip install new')).toBe(
		'new needs Python >=3.99, and the embedded one is 3.14.2.',
	);
	expect(await reason(python, '%pip install bare')).toMatch(
		/states no SHA-256 of bare-1\.0-py3-none-any\.whl/,
	);
	expect(await reason(python, '%pip install gone')).toMatch(/^No pure wheel of gone/);
	expect(await reason(python, '%pip install labels==3')).toBe(
		"labels==3 cannot be installed: Pyodide's distribution has labels 1.0.",
	);
	expect(await reason(python, '%pip install --index-url=http://x/ labels')).toMatch(
		/cannot be installed here/,
	);
	index.answerWith((_, response) => response.end('another file'));
	expect(await reason(python, '%pip install late')).toMatch(
		/^late-2\.0-py3-none-any\.whl from .* is not the file that the index names: its SHA-256 is [\da-f]{64}, not /,
	);
	index.answerWith((_, response) => {
		response.writeHead(200, {'content-length': 100_000});
		response.write('a part', () => response.destroy());
	});
	expect(await reason(python, '%pip install late')).toMatch(
		/^late-2\.0.*could not be downloaded.*set PIP_INDEX_URL to another index\.$/,
	);
	index.answerWith(null);
	expect(printed(await python.run('%pip install late\nprint("on")'))).toMatch(/Installed late 2\.0\non\n$/);

	await using alone = await openWith(mirror, null, temp.path);
	expect(await reason(alone, '%pip install late')).toBe(
		"Pyodide's distribution has no package late, and no package index is used.",
	);
	await using away = await openWith(mirror, {url: 'http://127.0.0.1:1/simple/'}, temp.path);
	expect(await reason(away, '%pip install other')).toBe(
		'The package index 127.0.0.1:1 does not respond (ECONNREFUSED). Set PIP_INDEX_URL to another index.',
	);
});

test('versions sort and match as PEP 440 says', () => {
	const sorted = ['1.0.dev1', '1.0a1', '1.0b2', '1.0rc1', '1.0', '1.0.post1', '1.1', '1.10', '1!0.1'];
	expect(
		sorted.toReversed().toSorted((one, other) => compareVersions(versionIn(one)!, versionIn(other)!)),
	).toEqual(sorted);
	const fits = (version: string, text: string): boolean =>
		satisfies(versionIn(version)!, specifiersIn(text)!);
	expect(
		[
			['1.4.5', '~=1.4.2'],
			['1.4', '==1.4.0'],
			['1.4.9', '==1.4.*,!=1.4.8'],
			['2.0.post1', '>=2.0'],
		].map(([version = '', text = '']) => fits(version, text)),
	).toEqual([true, true, true, true]);
	expect(
		[
			['1.5', '~=1.4.2'],
			['2.0rc1', '<2.0'],
			['1.4.8', '==1.4.*,!=1.4.8'],
			['1.0.post1', '>1.0'],
		].map(([version = '', text = '']) => fits(version, text)),
	).toEqual([false, false, false, false]);
	expect([versionIn('latest'), versionIn('1.0-x')]).toEqual([null, null]);
});

test('requirements and their conditions', () => {
	expect(requirementIn('Foo.Bar[a, B_c] (>=1.2, !=1.3) ; python_version < "4"')).toMatchObject({
		name: 'foo-bar',
		extras: ['a', 'b-c'],
		specifiers: '>=1.2,!=1.3',
	});
	for (const text of ['git+https://example.com/x', 'x @ https://example.com/x.whl', '-r file', './x', ''])
		expect(requirementIn(text)).toBeNull();
	const cases: readonly (readonly [string, boolean])[] = [
		['python_version >= "3.8" and sys_platform == "emscripten"', true],
		['python_version < "3.10"', false],
		["(os_name == 'nt' or platform_machine == 'wasm32') and extra == 'Fast'", true],
		["extra == 'slow'", false],
		['"linux" in sys_platform', false],
		['sys_platform not in "win32 darwin"', true],
		['what is this', true],
	];
	for (const [marker, expected] of cases)
		expect([marker, holds(marker, '3.14.2', ['fast'])]).toEqual([marker, expected]);
});
