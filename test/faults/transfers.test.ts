// @module-tag long
import {mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test, vi} from 'vitest';
import {label} from '../../src/text/safe.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, type Home} from '../support/program.ts';
import {beginning, insideBox} from './columns.ts';
import {CASES} from './hostile-cases.ts';
import {fileEntry, folderEntry, json, startHostileService, success} from './hostile-service.ts';
import {openFiles, SIZE} from './panes.ts';
import {noticeOf, openWatched, screenOf, type WatchedScreen} from './watched-screen.ts';

// A single run covers all texts; a busy machine may need longer than the usual minute.
vi.setConfig({testTimeout: 240_000});

const TEXTS = CASES.map(text => text.slice(0, 60));
const filesBelow = (folder: string): readonly string[] =>
	readdirSync(folder, {recursive: true, withFileTypes: true})
		.filter(entry => entry.isFile())
		.map(entry => join(entry.parentPath, entry.name));
/** Files outside this folder, except the program's own data. */
const outside = (home: Home, folder: string): readonly string[] =>
	filesBelow(home.folder).filter(
		path => !path.startsWith(join(home.folder, folder)) && !/\/\.(?:local|config|cache)\//.test(path),
	);

const messages = async (screen: WatchedScreen): Promise<string> => {
	pressAction(screen.terminal, 'anywhere', 'messages');
	await screen.shows('╭ Messages');
	const shown = insideBox(await screen.frame()).join('\n');
	pressAction(screen.terminal, 'chooser', 'close');
	await screen.terminal.gone('╭');
	return shown;
};

test(`${CASES.length} texts as names of downloaded files and as reasons of failure: in the title, in notices, and nowhere outside the chosen folder`, async () => {
	const bad = new Set(TEXTS.filter((_, index) => index % 8 === 0));
	await using service = await startHostileService({
		file({path}) {
			if (path === '')
				return success({
					content: folderEntry(
						'',
						[folderEntry('many', [])].map(entry => ({...entry, content: null})),
					),
				});
			if (path === 'many')
				return success({
					content: folderEntry(
						'many',
						[...new Set(TEXTS)].map(text => fileEntry(`many/${text}`, {name: text})),
					),
				});
			const name = path.slice('many/'.length);
			return bad.has(name)
				? json({message: name}, 500)
				: success({content: fileEntry(path, {name, content: name})});
		},
	});
	await using home = await newHome();
	await using screen = await openWatched(service, {...SIZE, home});
	const {terminal} = screen;
	await openFiles(screen);
	pressAction(terminal, 'tree', 'download');
	await screen.shows('╭ Download many');
	pressAction(terminal, 'chooser', 'killToStart');
	terminal.type('got');
	pressAction(terminal, 'chooser', 'accept');
	await screen.sees(frame => expect(noticeOf(frame)).toMatch(/^ ✗ .+/));
	expect(await messages(screen)).toMatch(/\d+ files downloaded, [\d,]+ bytes; \d+ not: |failed \(500\)/);
	expect(outside(home, 'got')).toEqual([]);
	expect(filesBelow(join(home.folder, 'got')).length).toBeGreaterThan(40);
	expect(screen.harm()).toEqual([]);
});

/** Texts that can be file names here. */
const NAMES = [
	...new Set(
		TEXTS.filter(
			text => text !== '' && !/[/\u0000]/.test(text) && text.isWellFormed() && Buffer.byteLength(text) < 200,
		),
	),
];

test(`${NAMES.length} texts as names of uploaded files that replace others, and as reasons of refusal: in the question, in the title, in notices`, async () => {
	await using service = await startHostileService({
		file: ({path}) =>
			success({
				content: folderEntry(
					path,
					NAMES.map(text => fileEntry(`${path || 'many'}/${text}`, {name: text})),
				),
			}),
		upload: ({path}) => json({message: path}, path.length % 3 === 0 ? 507 : 403),
	});
	await using home = await newHome();
	mkdirSync(join(home.folder, 'many'));
	for (const name of NAMES) writeFileSync(join(home.folder, 'many', name), name);
	await using screen = await openWatched(service, {...SIZE, home});
	const {terminal} = screen;
	await openFiles(screen);
	pressAction(terminal, 'tree', 'upload');
	await screen.shows('╭ Upload into');
	terminal.type('~/many');
	pressAction(terminal, 'chooser', 'accept');
	// The service's files are in `many`, the folder that the cursor is on.
	const left = new Set(NAMES.map(name => beginning(label(`many/many/${name}`, 300), 60)));
	for (const _ of NAMES) {
		// Names appear one by one, in the order in which this machine lists them.
		let found: string | undefined;
		await screen.sees(frame => {
			const row = insideBox(frame)[2]?.slice(1, -1).trim() ?? '';
			found = [...left]
				.filter(name => row.startsWith(name.trim()))
				.toSorted((a, b) => b.length - a.length)[0];
			expect(found, screenOf(frame)).toBeDefined();
		});
		left.delete(found ?? '');
		pressAction(terminal, 'overwrite', 'one');
	}
	await screen.sees(frame => expect(noticeOf(frame)).toMatch(/^ ✗ .+/));
	expect(left.size).toBe(0);
	expect(await messages(screen)).toMatch(/many\/many\/.*(?:refuses|failed|full|\(\d{3}\))/);
	expect(screen.harm()).toEqual([]);
	expect(service.strays).toEqual([]);
});
