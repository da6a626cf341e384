import {mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {
	fileEntry,
	folderEntry,
	json,
	startHostileService,
	success,
	type Answer,
	type HostileService,
} from '../faults/hostile-service.ts';
import {serverFolder, serviceFolder} from '../support/folders.ts';
import {testRows} from '../support/rows.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram, type Home} from '../support/program.ts';
import {noDisks, smallDisk} from '../support/small-disk.ts';
import type {Terminal} from '../support/terminal.ts';
import {startWelcome} from './steps.ts';

type Stored = {
	stored: string | null;
	/** Texts of the PUT requests, in order, with their tags. */
	readonly puts: {readonly content: string; readonly ifMatch: string | undefined}[];
	/** Handles a PUT; by default the text is stored. */
	put: (content: string) => Promise<Answer | null> | Answer | null;
	etag: string | null;
};

/** A service with one file. */
const fileService = async (): Promise<HostileService & Stored> => {
	const state: Stored = {stored: 'one\n', puts: [], put: () => null, etag: null};
	const service = await startHostileService({
		file({path}) {
			if (path === '') return success({content: folderEntry('', [fileEntry('plain.txt')])});
			if (state.stored === null) return json({message: 'no such file'}, 404);
			return {
				...success({content: fileEntry(path, {content: state.stored})}),
				...(state.etag !== null && {headers: {etag: state.etag}}),
			};
		},
		async upload({path, body, ifMatch}) {
			const {content} = JSON.parse(body) as {readonly content: string};
			state.puts.push({content, ifMatch});
			const other = await state.put(content);
			if (other) return other;
			state.stored = content;
			return success({content: fileEntry(path, {content: null, format: null})});
		},
	});
	return Object.assign(state, service);
};

/** Edits the only file, until its difference is shown. */
const edit = async (terminal: Terminal, added: string): Promise<void> => {
	pressAction(terminal, 'tree', 'edit');
	await terminal.until(new RegExp(`Save plain\\.txt\\?[^]*\\+ ${added}`));
};

/** A fake editor. Each time it appends the next line to the file, starting with `mine 1`. */
const counting = (home: Home): string => {
	const script = join(home.folder, 'editor.sh');
	writeFileSync(
		script,
		'echo x >> "$HOME/count"; echo "mine $(wc -l < "$HOME/count" | tr -d " ")" >> "$1"\n',
	);
	return `sh "${script}"`;
};

/** Opens the program with that editor on the files of the only server. */
const openEditing = async (service: HostileService, home: Home): Promise<Terminal> => {
	const terminal = await openProgram({home, env: {...service.env, EDITOR: counting(home)}});
	await terminal.until(/calm +. ready/);
	pressAction(terminal, 'servers', 'open');
	await terminal.until(/▸ +plain\.txt/);
	return terminal;
};

/** Saves, and returns to the tree while the save is in progress. */
const saveAndLeave = async (terminal: Terminal): Promise<void> => {
	pressAction(terminal, 'writing', 'save');
	await terminal.until('saving …');
	pressAction(terminal, 'writing', 'close');
	await terminal.until('plain.txt is still being saved');
};

/** Holds each PUT from now on until it is released. */
const holdPut = (service: Stored, answer: Answer | null = null): {readonly open: () => void} => {
	const {promise, resolve} = Promise.withResolvers<void>();
	service.put = async () => {
		await promise;
		return answer;
	};
	return {open: resolve};
};

test('a save waits for a running save of the same file, and the last text wins', async () => {
	await using service = await fileService();
	await using home = await newHome();
	await using terminal = await openEditing(service, home);
	const first = holdPut(service);
	await edit(terminal, 'mine 1');
	await saveAndLeave(terminal);
	await edit(terminal, 'mine 2');
	pressAction(terminal, 'writing', 'save');
	await terminal.until('saving …');
	expect(service.puts.map(({content}) => content)).toEqual(['one\nmine 1\n']);
	first.open();
	await terminal.until('plain.txt is saved');
	await terminal.gone('Save plain.txt?');
	await expect.poll(() => service.stored).toBe('one\nmine 1\nmine 2\n');
	expect(service.puts.map(({content}) => content)).toEqual(['one\nmine 1\n', 'one\nmine 1\nmine 2\n']);
});

test('a first save that fails does not touch the dialog of the second', {tags: 'long'}, async () => {
	await using service = await fileService();
	await using home = await newHome();
	await using terminal = await openEditing(service, home);
	const first = holdPut(service, json({message: 'the disk is full'}, 507));
	await edit(terminal, 'mine 1');
	await saveAndLeave(terminal);
	await edit(terminal, 'mine 2');
	first.open();
	await terminal.until(/plain\.txt: Not saved\./);
	await terminal.until(/Save plain\.txt\?[^]*\+ mine 2[^]*y save/);
	service.put = () => null;
	pressAction(terminal, 'writing', 'save');
	// The save never reached the service. The file still has the old text, and the program asks
	// about it.
	await terminal.until(/Changed by someone else: plain\.txt[^]*\+ mine 2/);
	expect(service.stored).toBe('one\n');
});

test('quitting waits for a running save, and says so', async () => {
	await using service = await fileService();
	await using home = await newHome();
	await using terminal = await openEditing(service, home);
	const first = holdPut(service);
	await edit(terminal, 'mine 1');
	await saveAndLeave(terminal);
	pressAction(terminal, 'global', 'quit');
	await terminal.until(/is still being saved\. Waiting up to 5 seconds/);
	first.open();
	await expect(terminal.exit).resolves.toMatchObject({code: 0});
	expect(service.stored).toBe('one\nmine 1\n');
});

test(
	'quitting waits five seconds for an endless save, and its text is offered at the next start',
	{tags: 'long'},
	async () => {
		await using service = await fileService();
		await using home = await newHome();
		service.put = async () => new Promise<never>(() => {});
		{
			await using terminal = await openEditing(service, home);
			await edit(terminal, 'mine 1');
			await saveAndLeave(terminal);
			pressAction(terminal, 'global', 'quit');
			await terminal.until(/plain\.txt was still being saved\. Your text is kept/);
			await expect(terminal.exit).resolves.toMatchObject({code: 0});
		}
		await using terminal = await openProgram({home, args: ['--fresh'], env: service.env});
		await terminal.until('Edits of plain.txt in an editor were not saved');
	},
);

test(
	'if the save that quitting waits for fails, the program stays and gives the reason',
	{tags: 'long'},
	async () => {
		await using service = await fileService();
		await using home = await newHome();
		await using terminal = await openEditing(service, home);
		const first = holdPut(service, json({message: 'the disk is full'}, 507));
		await edit(terminal, 'mine 1');
		await saveAndLeave(terminal);
		pressAction(terminal, 'global', 'quit');
		await terminal.until(/Waiting up to/);
		first.open();
		await terminal.until(/plain\.txt: Not saved\.[^]*the disk is full/);
		pressAction(terminal, 'tree', 'down');
		expect(service.stored).toBe('one\n');
	},
);

test.each([
	['carried out', true],
	['not carried out', false],
])('the response to a save that was %s is lost: the file is checked, and written once', async (_, isDone) => {
	await using service = await fileService();
	await using home = await newHome();
	await using terminal = await openEditing(service, home);
	service.put = content => {
		if (isDone) service.stored = content;
		throw new Error('the connection is gone');
	};
	await edit(terminal, 'mine 1');
	pressAction(terminal, 'writing', 'save');
	if (isDone) await terminal.until('plain.txt is saved');
	else await terminal.until(/Not saved\.[^]*\+ mine 1|\+ mine 1[^]*Not saved\./);
	expect(service.puts).toHaveLength(1);
	if (isDone) return;
	service.put = () => null;
	pressAction(terminal, 'writing', 'save');
	await terminal.until('plain.txt is saved');
	expect(service.stored).toBe('one\nmine 1\n');
});

test(
	"another client's save between the check and the save is noticed if the service sends tags",
	{tags: 'long'},
	async () => {
		await using service = await fileService();
		await using home = await newHome();
		await using terminal = await openEditing(service, home);
		service.etag = '"v1"';
		service.put = () => {
			service.stored = 'theirs\n';
			service.etag = '"v2"';
			return json({message: 'it has changed'}, 412);
		};
		await edit(terminal, 'mine 1');
		pressAction(terminal, 'writing', 'save');
		await terminal.until(/Changed by someone else: plain\.txt[^]*- theirs[^]*\+ mine 1/);
		expect(service.stored).toBe('theirs\n');
		service.put = () => null;
		pressAction(terminal, 'conflict', 'mine');
		await terminal.until('overwrite their changes');
		pressAction(terminal, 'writing', 'save');
		await terminal.until('plain.txt is saved');
		expect(service.puts.map(({ifMatch}) => ifMatch)).toEqual(['"v1"', '"v2"']);
	},
);

const TAGS = [
	['no tag', null, undefined, 1],
	['a weak tag, which never matches', 'W/"v1"', undefined, 1],
	['tags that do not follow the content', '"always another"', '"always another"', 2],
] as const;
testRows('a file is saved to a service with %s as well', TAGS, 1, async ([_, etag, ifMatch, count]) => {
	await using service = await fileService();
	await using home = await newHome();
	await using terminal = await openEditing(service, home);
	service.etag = etag;
	service.put = () =>
		service.puts.at(-1)?.ifMatch === undefined ? null : json({message: 'it has changed'}, 412);
	await edit(terminal, 'mine 1');
	pressAction(terminal, 'writing', 'save');
	await terminal.until('plain.txt is saved');
	expect(service.puts).toHaveLength(count);
	expect(service.puts[0]).toEqual({content: 'one\nmine 1\n', ifMatch});
});

test('a forbidden save gives the reason and the path of the text', {tags: 'long'}, async () => {
	await using service = await fileService();
	await using home = await newHome();
	await using terminal = await openEditing(service, home);
	service.put = () => json({message: '"plain.txt" is read-only.'}, 403);
	await edit(terminal, 'mine 1');
	pressAction(terminal, 'writing', 'save');
	await terminal.until(/Not saved\.[^]*"plain\.txt" is read-only\.[^]*Your text is in/);
	pressAction(terminal, 'writing', 'close');
	await terminal.until('Your text is under :edits');
	expect([service.stored, service.puts.length]).toEqual(['one\n', 1]);
});

const openLocal = async (terminal: Terminal): Promise<void> => {
	await startWelcome(terminal);
	pressAction(terminal, 'anywhere', 'files');
	await terminal.until('prices.ipynb');
};

const openPath = async (terminal: Terminal, path: string): Promise<void> => {
	pressAction(terminal, 'global', 'commandLine');
	await terminal.until('Tab complete');
	terminal.type(`file ${path}`);
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(`─ ${path} `);
};

test(
	'a save changes only the edited bytes, and keeps line ends, a missing last one, and a byte order mark',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		await using terminal = await openProgram({home, env: {EDITOR: 'sed -i s/alpha/OMEGA/'}});
		await openLocal(terminal);
		const folder = serverFolder(serviceFolder(home));
		const files: Readonly<Record<string, string>> = {
			'mixed.txt': 'alpha\r\ntwo\nthree\rstill three\r\n\r\n',
			'open.txt': 'one\nalpha',
			'mark.txt': '\uFEFFalpha\n',
			'odd.txt': 'tab\talpha \0 \u001B[31m é 漢\u2028x\n',
		};
		for (const [name, content] of Object.entries(files)) {
			writeFileSync(join(folder, name), content);
			await openPath(terminal, name);
			await terminal.until(/1\/\d/);
			pressAction(terminal, 'viewer', 'edit');
			await terminal.until(`Save ${name}?`);
			pressAction(terminal, 'writing', 'save');
			await terminal.until(`${name} is saved`);
			expect(readFileSync(join(folder, name))).toEqual(Buffer.from(content.replace('alpha', 'OMEGA')));
		}
		const bytes = Buffer.from([0x61, 0x6c, 0xe9, 0x0a]);
		writeFileSync(join(folder, 'latin.txt'), bytes);
		await openPath(terminal, 'latin.txt');
		await terminal.until(/alé/);
		pressAction(terminal, 'viewer', 'edit');
		await terminal.until(/latin\.txt is Latin-1, and only UTF-8 is saved/);
		expect(readFileSync(join(folder, 'latin.txt'))).toEqual(bytes);
	},
);

test(
	'in a conflict the text can be edited again, and the next save is against the other version',
	{tags: 'long'},
	async () => {
		await using service = await fileService();
		await using home = await newHome();
		await using terminal = await openEditing(service, home);
		await edit(terminal, 'mine 1');
		service.stored = 'theirs\n';
		pressAction(terminal, 'writing', 'save');
		await terminal.until('From theirs to yours');
		pressAction(terminal, 'conflict', 'edit');
		await terminal.until(/Save plain\.txt\?[^]*- theirs[^]*\+ mine 2/);
		pressAction(terminal, 'writing', 'save');
		await terminal.until('plain.txt is saved');
		expect(service.stored).toBe('one\nmine 1\nmine 2\n');
	},
);

test(
	'the action for a conflict is chosen with one burst of keys; Enter alone saves nothing',
	{tags: 'long'},
	async () => {
		await using service = await fileService();
		await using home = await newHome();
		await using terminal = await openEditing(service, home);
		await edit(terminal, 'mine 1');
		service.stored = 'theirs\n';
		pressAction(terminal, 'writing', 'save');
		await terminal.until(/From theirs to yours[^]*m +keep mine[^]*t +keep theirs[^]*▸ e +edit again/);
		// Right and left wrap around: three steps right and three left end on "edit again", which
		// Enter runs.
		terminal.type('\u001B[C\u001B[C\u001B[C\u001B[D\u001B[D\u001B[D\r');
		await terminal.until(/Save plain\.txt\?[^]*- theirs[^]*\+ mine 2/);
		expect([service.stored, service.puts]).toEqual(['theirs\n', []]);
		service.stored = 'theirs 2\n';
		pressAction(terminal, 'writing', 'save');
		await terminal.until('From theirs to yours');
		terminal.type('\u001B[D\u001B[D\r');
		await terminal.until('overwrite their changes');
		pressAction(terminal, 'writing', 'save');
		await terminal.until('plain.txt is saved');
		expect(service.stored).toBe('one\nmine 1\nmine 2\n');
	},
);

test('a conflict that is closed saves nothing, and the text stays', {tags: 'long'}, async () => {
	await using service = await fileService();
	await using home = await newHome();
	await using terminal = await openEditing(service, home);
	await edit(terminal, 'mine 1');
	service.stored = 'theirs\n';
	pressAction(terminal, 'writing', 'save');
	await terminal.until('From theirs to yours');
	pressAction(terminal, 'conflict', 'close');
	await terminal.until(/Not saved\. Your text is under :edits/);
	expect([service.stored, service.puts]).toEqual(['theirs\n', []]);
	pressAction(terminal, 'global', 'commandLine');
	await terminal.until('Tab complete');
	terminal.type('edits');
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until('plain.txt on calm');
	pressAction(terminal, 'chooser', 'accept');
	await terminal.until(/\+ mine 1/);
});

test(
	'a file deleted with its folder is reported as gone, and can be saved as a new one',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		await using terminal = await openProgram({home, env: {EDITOR: 'echo more >>'}});
		await openLocal(terminal);
		const folder = serverFolder(serviceFolder(home));
		mkdirSync(join(folder, 'deep'));
		writeFileSync(join(folder, 'deep/a.txt'), 'one\n');
		await openPath(terminal, 'deep/a.txt');
		await terminal.until(/ 1 +one/);
		pressAction(terminal, 'viewer', 'edit');
		await terminal.until(/\+ more/);
		rmSync(join(folder, 'deep'), {recursive: true});
		pressAction(terminal, 'writing', 'save');
		await terminal.until(/gone from the server since you read it[^]*\+ one[^]*\+ more/);
		pressAction(terminal, 'conflict', 'theirs');
		await terminal.until('There is no other version to keep');
		pressAction(terminal, 'conflict', 'mine');
		await terminal.until('save it again');
		pressAction(terminal, 'writing', 'save');
		await terminal.until('deep/a.txt is saved');
		expect(readFileSync(join(folder, 'deep/a.txt'), 'utf8')).toBe('one\nmore\n');
	},
);

test.skipIf(noDisks !== undefined)(
	'on a full disk nothing is saved, the reason is given, and the text can be saved once there is space',
	{tags: 'long'},
	async () => {
		using small = smallDisk('size=24m');
		await using home = await newHome();
		const script = join(home.folder, 'editor.sh');
		writeFileSync(script, 'head -c 300000 /dev/zero | tr "\\0" x >> "$1"; echo >> "$1"\n');
		await using terminal = await openProgram({
			home,
			env: {EDITOR: `sh "${script}"`, XDG_DATA_HOME: small.path},
		});
		await openLocal(terminal);
		const file = join(serverFolder(join(small.path, 'svc-tui/service')), 'a.txt');
		writeFileSync(file, 'one\n');
		await openPath(terminal, 'a.txt');
		await terminal.until(/ 1 +one/);
		pressAction(terminal, 'viewer', 'edit');
		await terminal.until(/Save a\.txt\?/);
		small.fill(0);
		pressAction(terminal, 'writing', 'save');
		await terminal.until(/Not saved\.[^]*the disk is full/);
		expect(readFileSync(file, 'utf8')).toBe('one\n');
		small.empty();
		pressAction(terminal, 'writing', 'save');
		await terminal.until('a.txt is saved');
		expect(readFileSync(file, 'utf8')).toHaveLength(4 + 300_001);
	},
);
