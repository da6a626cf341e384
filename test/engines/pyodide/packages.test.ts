import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createPackageStore, type PackageStore} from '../../../src/engines/pyodide/packages/store.ts';
import {noDisks, smallDisk} from '../../support/small-disk.ts';
import {tempFolder} from '../../support/temp-folder.ts';
import {openMirror, wheel, type Mirror} from '../../support/wheels.ts';
import {openPython, printed, value} from './python.ts';

const PIXEL =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const frames = wheel(
	'frames',
	'import labels\nclass Frame:\n    shape = (3, 2)\n    def __repr__(self): return labels.NAME\n    def _repr_html_(self): return "<table><tr><td>1</td></tr></table>"\n',
	['labels'],
);
const labels = wheel('labels', 'NAME = "three rows"\n');
const figures = wheel(
	'figures',
	`import base64\nclass Figure:\n    def _repr_png_(self): return base64.b64decode("${PIXEL}")\n`,
);
const all = [frames, labels, figures];

const storeOf = (mirror: Mirror, folder: string): PackageStore =>
	createPackageStore({
		folder: join(folder, 'packages'),
		lockFile: mirror.lockFile,
		source: mirror.url,
		proxyEnv: {},
	});

test(
	'two sessions start at once with downloaded packages, each file is downloaded once, and a later one needs no network',
	{tags: 'long'},
	async () => {
		using temp = tempFolder();
		const mirror = await openMirror(all, temp.path);
		const store = storeOf(mirror, temp.path);
		const packages = {store, namesOf: () => ['frames', 'figures']};
		{
			await using both = new AsyncDisposableStack();
			const [one, other] = await Promise.all(
				[packages, {store, namesOf: () => ['labels']}].map(async each =>
					both.use(await openPython({packages: each})),
				),
			);
			if (one === undefined || other === undefined) throw new Error('no session');
			expect(value(await one.run('import frames; frames.Frame()'))).toBe('three rows');
			expect((await one.run('import figures; figures.Figure()')).at(-1)).toMatchObject({
				output_type: 'execute_result',
				data: {'image/png': PIXEL},
			});
			expect(value(await other.run('import labels; labels.NAME'))).toBe("'three rows'");
		}
		expect(mirror.asked.toSorted()).toEqual(all.map(({file}) => `/full/${file}`).toSorted());
		await mirror[Symbol.asyncDispose]();
		await using later = await openPython({
			packages: {store: storeOf(mirror, temp.path), namesOf: () => ['frames']},
		});
		expect(value(await later.run('import frames; frames.Frame().shape'))).toBe('(3, 2)');
	},
);

test('%pip and !pip install packages before a cell runs, which a restarted kernel keeps', async () => {
	using temp = tempFolder();
	await using mirror = await openMirror(all, temp.path);
	await using python = await openPython({packages: {store: storeOf(mirror, temp.path), namesOf: () => []}});
	expect(printed(await python.run('%pip install -q frames\nimport frames\nprint(frames.Frame())'))).toMatch(
		/^Downloading packages from .*: 2 of 2 files, 1\.\d kB\nInstalled frames 1\.0\nthree rows\n$/,
	);
	expect(printed(await python.run('!pip install figures\nimport figures'))).toContain(
		'Installed figures 1.0',
	);
	expect(printed(await python.run('%pip list'))).toContain('labels 1.0\n');
	expect((await python.run('%pip install nothing\nprint(1)')).at(-1)).toMatchObject({
		ename: 'InstallError',
		evalue: "Pyodide's distribution has no package nothing, and no package index is used.",
	});
	expect((await python.run('%pip install git+https://example.com/x')).at(-1)).toMatchObject({
		ename: 'InstallError',
		evalue: expect.stringContaining('cannot be installed here'),
	});
	await python.session.kernel?.restart();
	expect(value(await python.run('import figures, labels; labels.NAME'))).toBe("'three rows'");
});

test('a download that fails leaves no file, names the reason, and keeps complete files', async () => {
	using temp = tempFolder();
	await using mirror = await openMirror(all, temp.path);
	const store = storeOf(mirror, temp.path);
	const files = store.lock().filesOf(['frames']);
	const kept = (): readonly string[] => readdirSync(store.folder);
	await store.ensure(store.lock().filesOf(['labels']));

	mirror.answerWith((_, response) => response.end('another file'));
	await expect(store.ensure(files)).rejects.toThrow(
		/frames-1\.0-py3-none-any\.whl from 127\.0\.0\.1:\d+ is not the file that the lock file names: its SHA-256 is [\da-f]{64}, not [\da-f]{64}/,
	);
	mirror.answerWith((_, response) => response.writeHead(404).end());
	await expect(store.ensure(files)).rejects.toThrow(/has no frames-1\.0-py3-none-any\.whl \(HTTP 404\)/);
	mirror.answerWith((_, response) => {
		response.writeHead(200, {'content-length': 1000});
		response.write('a part', () => response.destroy());
	});
	await expect(store.ensure(files)).rejects.toThrow(/frames-1\.0.*could not be downloaded/);
	expect(kept()).toEqual([labels.file]);

	mirror.answerWith(null);
	const progress: string[] = [];
	await Promise.all([store.ensure(files, text => progress.push(text)), store.ensure(files)]);
	expect(kept().toSorted()).toEqual([frames.file, labels.file].toSorted());
	expect(progress.at(-1)).toMatch(/^Downloading packages from 127\.0\.0\.1:\d+: 1 of 1 files, \d\.\d kB$/);
	expect(mirror.asked.filter(path => path.includes('labels'))).toHaveLength(1);

	await mirror[Symbol.asyncDispose]();
	await expect(store.ensure(store.lock().filesOf(['figures']))).rejects.toThrow(
		/figures-1\.0-py3-none-any\.whl is not on this machine and could not be downloaded from .* \(ECONNREFUSED\)/,
	);
	expect(() => store.lock().filesOf(['nothing'])).toThrow("Pyodide's distribution has no package nothing.");
});

test.skipIf(noDisks !== undefined)(
	'a full disk is named as the reason of a failed download, and a later one succeeds',
	async () => {
		using temp = tempFolder();
		using disk = smallDisk('size=2m');
		const large = wheel('large', `NAME = "${'x'.repeat(500_000)}"\n`);
		await using mirror = await openMirror([large], temp.path);
		const store = storeOf(mirror, disk.path);
		store.prepare();
		disk.fill(100_000);
		const files = store.lock().filesOf(['large']);
		await expect(store.ensure(files)).rejects.toThrow(
			/^large-1\.0-py3-none-any\.whl could not be stored: its disk is full; free some space\.$/,
		);
		expect(readdirSync(store.folder)).toEqual([]);
		disk.empty();
		await store.ensure(files);
		expect(readdirSync(store.folder)).toEqual([large.file]);
	},
);
