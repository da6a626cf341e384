import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {fileEntry, folderEntry, json, startHostileService, success} from '../faults/hostile-service.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, runCommand, type Home} from '../support/program.ts';
import {share} from '../support/share.ts';
import type {Terminal} from '../support/terminal.ts';
import {startWelcome} from './steps.ts';

/** Text and binary data of every kind that a careless transfer would change. */
const FILES: Readonly<Record<string, Buffer>> = {
	'plain.txt': Buffer.from('one\ntwo\n'),
	'no newline.txt': Buffer.from('end'),
	'crlf.txt': Buffer.from('one\r\ntwo\rthree\n'),
	empty: Buffer.alloc(0),
	'mark.txt': Buffer.from('\uFEFFwith a mark\n'),
	'deep/er/日本 é.txt': Buffer.from('漢字\n'),
	'deep/all.bin': Buffer.from(Array.from({length: 4096}, (_, at) => at % 256)),
	'deep/zero.bin': Buffer.from('text\0with a zero'),
	'latin.txt': Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]),
};

const makeFolder = (folder: string): void => {
	for (const [path, bytes] of Object.entries(FILES)) {
		mkdirSync(dirname(join(folder, path)), {recursive: true});
		writeFileSync(join(folder, path), bytes);
	}
};

const filesIn = (folder: string): Readonly<Record<string, Buffer>> =>
	Object.fromEntries(
		readdirSync(folder, {recursive: true, withFileTypes: true})
			.filter(each => each.isFile())
			.map(each => [
				join(each.parentPath, each.name).slice(folder.length + 1),
				readFileSync(join(each.parentPath, each.name)),
			]),
	);

/** The program, on the files of `welcome`. */
const shared = share(async stack => {
	const home = stack.use(await newHome());
	const terminal = stack.use(await openProgram({home}));
	await startWelcome(terminal);
	pressAction(terminal, 'anywhere', 'files');
	await terminal.until('prices.ipynb');
	return {home, terminal};
});

test('a folder of text and other bytes goes up and comes back byte for byte', async () => {
	const {home, terminal} = await shared();
	makeFolder(join(home.folder, 'mine'));
	pressAction(terminal, 'tree', 'last');
	pressAction(terminal, 'tree', 'upload');
	await terminal.until('Upload into the root');
	terminal.type('~/mine');
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/9 files uploaded, 4,1\d\d bytes/);
	await terminal.until(/▹ mine/);
	pressAction(terminal, 'tree', 'first');
	pressAction(terminal, 'tree', 'down');
	await terminal.until(/▸ ▹ mine/);
	pressAction(terminal, 'tree', 'download');
	await terminal.until('Download mine');
	terminal.type('back');
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/9 files downloaded, 4,1\d\d bytes/);
	expect(filesIn(join(home.folder, 'back/mine'))).toEqual(FILES);
});

/** Starts the server, uploads `data/a.txt` to `data/c.txt` and moves to the end of its tree. */
const startWithOld = async (terminal: Terminal, home: Home): Promise<void> => {
	await startWelcome(terminal);
	for (const name of ['a', 'b', 'c'])
		expect(
			await runCommand(['files', 'put', 'welcome', '-', `data/${name}.txt`], {home, input: `old ${name}`}),
		).toMatchObject({code: 0});
	pressAction(terminal, 'anywhere', 'files');
	await terminal.until('prices.ipynb');
	pressAction(terminal, 'tree', 'last');
};

test(
	'existing files cause a question, for one or for all, and stopping leaves the rest alone',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		mkdirSync(join(home.folder, 'data'));
		for (const name of ['a', 'b', 'c', 'd'])
			writeFileSync(join(home.folder, 'data', `${name}.txt`), `new ${name}`);
		await using terminal = await openProgram({home});
		await startWithOld(terminal, home);
		const upload = async (): Promise<void> => {
			pressAction(terminal, 'tree', 'upload');
			await terminal.until('Upload into the root');
			terminal.type('data');
			pressAction(terminal, 'chooser', 'accept');
			await terminal.until(/exists on the server[^]*data\/a\.txt/);
		};
		const contents = async (): Promise<readonly string[]> =>
			Promise.all(
				['a', 'b', 'c'].map(
					async name => (await runCommand(['files', 'get', 'welcome', `data/${name}.txt`], {home})).stdout,
				),
			);
		await upload();
		pressAction(terminal, 'overwrite', 'skip');
		await terminal.until(/exists on the server[^]*data\/b\.txt/);
		pressAction(terminal, 'overwrite', 'one');
		await terminal.until(/exists on the server[^]*data\/c\.txt/);
		pressAction(terminal, 'overwrite', 'stop');
		await terminal.until(/1 file uploaded, 5 bytes; 1 left as it is; stopped before the end/);
		expect(await contents()).toEqual(['old a', 'new b', 'old c']);
		// Ctrl-C answers the question as well, so that the upload does not wait forever.
		await upload();
		pressAction(terminal, 'always', 'interrupt');
		await terminal.until(/0 files uploaded.*stopped before the end/);
		await upload();
		pressAction(terminal, 'overwrite', 'all');
		await terminal.until(/4 files uploaded/);
		expect(await contents()).toEqual(['new a', 'new b', 'new c']);
	},
);

test(
	'the action for an existing file is chosen with one burst of keys; Enter alone keeps the file',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		mkdirSync(join(home.folder, 'data'));
		for (const name of ['a', 'b', 'c'])
			writeFileSync(join(home.folder, 'data', `${name}.txt`), `new ${name}`);
		await using terminal = await openProgram({home});
		await startWithOld(terminal, home);
		pressAction(terminal, 'tree', 'upload');
		await terminal.until('Upload into the root');
		terminal.type('data');
		pressAction(terminal, 'chooser', 'accept');
		await terminal.until(/data\/a\.txt[^]*▸ s +skip +│/);
		terminal.type('\r');
		await terminal.until(/data\/b\.txt[^]*▸ s +skip +│/);
		// Down, down, up, j, k, up, up end on "overwrite all", and one more up on the row above.
		terminal.type('\u001B[B\u001B[B\u001B[Ajk\u001B[A\u001B[A\u001B[A\r');
		await terminal.until(/data\/c\.txt[^]*▸ s +skip +│/);
		terminal.type('\u001B[Bk\r');
		await terminal.until(/1 file uploaded, 5 bytes; 2 left as they are/);
		expect((await runCommand(['files', 'get', 'welcome', 'data/b.txt'], {home})).stdout).toBe('new b');
	},
);

test(
	'the commands transfer folders and patterns too, and skip existing files on request',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		makeFolder(join(home.folder, 'mine'));
		await using service = await openProgram({home});
		await startWelcome(service);
		expect(await runCommand(['files', 'put', 'welcome', 'mine', 'up/'], {home})).toMatchObject({
			code: 0,
			stdout: expect.stringMatching(/^9 files uploaded, /) as string,
		});
		expect(await runCommand(['files', 'get', 'welcome', 'up/mine', '-o', 'back'], {home})).toMatchObject({
			code: 0,
			stdout: expect.stringMatching(/^9 files downloaded, /) as string,
		});
		expect(filesIn(join(home.folder, 'back/mine'))).toEqual(FILES);
		writeFileSync(join(home.folder, 'mine/plain.txt'), 'changed here');
		const again = await runCommand(
			['files', 'put', 'welcome', 'mine/*.txt', 'mine/empty', 'up/mine/', '--existing', 'skip', '--json'],
			{home},
		);
		expect(JSON.parse(again.stdout)).toMatchObject({
			uploaded: [],
			skipped: [
				'up/mine/crlf.txt',
				'up/mine/latin.txt',
				'up/mine/mark.txt',
				'up/mine/no newline.txt',
				'up/mine/plain.txt',
				'up/mine/empty',
			],
			failed: [],
		});
		expect((await runCommand(['files', 'get', 'welcome', 'up/mine/plain.txt'], {home})).stdout).toBe(
			'one\ntwo\n',
		);
		expect(await runCommand(['files', 'put', 'welcome', 'mine/no-such-*'], {home})).toMatchObject({
			code: 2,
			stderr: expect.stringContaining('No file matches') as string,
		});
		expect(
			await runCommand(['files', 'put', 'welcome', 'mine/empty', 'mine/plain.txt', 'up'], {home}),
		).toMatchObject({code: 2, stderr: expect.stringContaining('with a trailing /') as string});
	},
);

test('on a service that accepts only text, binary content is refused with the reason, even if the service would store it as text', async () => {
	const stored = new Map<string, string>();
	let refuses = true;
	await using service = await startHostileService({
		file: ({path}) =>
			path === ''
				? success({content: folderEntry('', [])})
				: stored.has(path)
					? success({content: fileEntry(path, {content: stored.get(path)})})
					: json({message: 'none'}, 404),
		upload({path, body}) {
			const {content, format} = JSON.parse(body) as {readonly content: string; readonly format: string};
			if (refuses && format === 'base64') return json({message: 'format must be text'}, 400);
			stored.set(path, content);
			return success({content: fileEntry(path, {content: null, format: null, size: content.length})});
		},
	});
	await using home = await newHome();
	writeFileSync(join(home.folder, 'a.bin'), FILES['deep/all.bin'] ?? '');
	writeFileSync(join(home.folder, 'b.txt'), 'text');
	for (const expected of ['format must be text', 'only text']) {
		const result = await runCommand(['files', 'put', 'calm', '?.*', './', '--json'], {
			home,
			env: service.env,
		});
		expect(result.code).toBe(1);
		expect(JSON.parse(result.stdout)).toMatchObject({
			uploaded: [{path: 'b.txt', bytes: 4}],
			failed: [{path: 'a.bin', message: expect.stringContaining(expected) as string}],
		});
		refuses = false;
	}
});

test('a service cannot make a download leave its folder', async () => {
	const evil = ['../out.txt', '..', 'a/../../out.txt', '/etc/out.txt'];
	await using service = await startHostileService({
		file: ({path}) =>
			path === 'all'
				? success({
						content: folderEntry('all', [
							...evil.map(name => fileEntry(`all/${name}`, {name})),
							fileEntry('all/good.txt'),
						]),
					})
				: success({content: fileEntry(path, {content: 'x'})}),
	});
	await using home = await newHome();
	const result = await runCommand(['files', 'get', 'calm', 'all', '-o', 'here', '--json'], {
		home,
		env: service.env,
	});
	expect(result.code).toBe(1);
	const {downloaded, failed} = JSON.parse(result.stdout) as {
		readonly downloaded: readonly unknown[];
		readonly failed: readonly unknown[];
	};
	expect(downloaded).toHaveLength(1);
	expect(JSON.stringify(failed)).toContain('the service listed an item without a name or outside the folder');
	expect(failed).toHaveLength(1);
	expect(Object.keys(filesIn(home.folder)).filter(path => path.endsWith('.txt'))).toEqual([
		'here/all/good.txt',
	]);
});

test(
	'a partly failed transfer lists the failures, and a repetition transfers the rest',
	{tags: 'long'},
	async () => {
		let fails = true;
		const content = (path: string) => success({content: fileEntry(path, {content: `text of ${path}`})});
		const lost = json({message: 'the machine is busy'}, 503);
		await using service = await startHostileService({
			file({path}) {
				if (path === '') return success({content: folderEntry('', [folderEntry('all', [])])});
				if (path === 'all')
					return success({
						content: folderEntry('all', [
							folderEntry('all/one', []),
							folderEntry('all/two', []),
							fileEntry('all/a.txt'),
							fileEntry('all/b.txt'),
						]),
					});
				if (path === 'all/one')
					return fails ? lost : success({content: folderEntry(path, [fileEntry('all/one/c.txt')])});
				if (path === 'all/two') return success({content: folderEntry(path, [fileEntry('all/two/d.txt')])});
				return fails && path === 'all/b.txt' ? lost : content(path);
			},
		});
		await using home = await newHome();
		await using terminal = await openProgram({home, columns: 200, env: service.env});
		await terminal.until(/calm +. ready/);
		pressAction(terminal, 'servers', 'open');
		await terminal.until(/▸ ▹ all/);
		const download = async (): Promise<void> => {
			pressAction(terminal, 'tree', 'download');
			await terminal.until('Download all');
			terminal.type('here');
			pressAction(terminal, 'chooser', 'accept');
		};
		await download();
		await terminal.until(/all\/one: \S+ is unavailable \(503\)/);
		pressAction(terminal, 'anywhere', 'messages');
		await terminal.until(
			/2 files downloaded, \d+ bytes; 2 failed: all\/b\.txt: \S+ is +[\d:]+ [│\s]+unavailable \(503\)/,
		);
		pressAction(terminal, 'chooser', 'close');
		// Esc and the next key in a single read would be interpreted as Alt with that key.
		await terminal.gone('Messages');
		expect(Object.keys(filesIn(join(home.folder, 'here'))).sort()).toEqual(['all/a.txt', 'all/two/d.txt']);
		writeFileSync(join(home.folder, 'here/all/a.txt'), 'changed here');
		fails = false;
		await download();
		await terminal.until(/exists on this machine[^]*all\/two\/d\.txt/);
		pressAction(terminal, 'overwrite', 'skipAll');
		await terminal.until(/2 files downloaded, \d+ bytes; 2 left as they are/);
		const found = filesIn(join(home.folder, 'here'));
		expect(
			Object.fromEntries(Object.entries(found).map(([path, bytes]) => [path, bytes.toString()])),
		).toEqual({
			'all/a.txt': 'changed here',
			'all/b.txt': 'text of all/b.txt',
			'all/one/c.txt': 'text of all/one/c.txt',
			'all/two/d.txt': 'text of all/two/d.txt',
		});
	},
);

test('the box completes local paths, keeps failed ones, and the cursor is on the new file', async () => {
	const {home, terminal} = await shared();
	mkdirSync(join(home.folder, 'data'));
	for (const name of ['data/rates.csv', 'data/rows.csv', 'zebra.txt'])
		writeFileSync(join(home.folder, name), name);
	pressAction(terminal, 'tree', 'last');
	pressAction(terminal, 'tree', 'upload');
	await terminal.until(/Upload into the root[^]*data\/[^]*zebra\.txt/);
	terminal.type('da');
	await terminal.gone('zebra.txt');
	pressAction(terminal, 'chooser', 'complete');
	await terminal.until(/› data\/ [^]*rates\.csv[^]*rows\.csv/);
	terminal.type('ro');
	await terminal.gone('rates.csv');
	pressAction(terminal, 'chooser', 'complete');
	await terminal.until('› data/rows.csv ');
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/1 file uploaded/);
	await terminal.until(/▸\S? *rows\.csv/);

	pressAction(terminal, 'tree', 'upload');
	await terminal.until('Upload into the root');
	terminal.type('data/none.csv');
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until('data/none.csv cannot be read');
	pressAction(terminal, 'tree', 'upload');
	await terminal.until('› data/none.csv ');
	// Enter chooses the selected row.
	for (let count = 'none.csv'.length; count > 0; count--) terminal.type('\u007F');
	await terminal.until(/rates\.csv[^]*rows\.csv/);
	terminal.type('ra');
	await terminal.gone('as typed');
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/▸\S? *rates\.csv/);
});
