import {mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {afterEach, expect, test, vi} from 'vitest';
import type {Client} from '../../src/api/client-types.ts';
import {openDrafts} from '../../src/storage/drafts.ts';
import {openServiceStorage} from '../../src/storage/service-storage.ts';
import {persistDrafts} from '../../src/tui/core/store/persist-drafts.ts';
import type {Store} from '../../src/tui/core/program.ts';
import {draftSources} from '../../src/tui/core/features.ts';
import {createStore} from '../../src/tui/create-store.ts';
import {backspace, createEditor, insert} from '../../src/text/editor/editor.ts';
import {fileEntry, folderEntry, startHostileService, stream, success} from '../faults/hostile-service.ts';
import {ask, openAssistant, openRepl, startWelcome} from '../journeys/steps.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';
import {tempFolder} from '../support/temp-folder.ts';
import {draftFolder, draftNames, draftTexts} from './drafts-of.ts';
import {waitFor} from '../support/wait-for.ts';
import {route} from '../../src/tui/core/store/route.ts';
import {chat} from '../../src/tui/assistant/conversations.ts';
import {replSession} from '../../src/tui/repl/session.ts';

afterEach(() => {
	vi.useRealTimers();
});

/** A store whose service never responds. */
const newStore = (): Store =>
	createStore({
		client: () => new Promise<Client>(() => {}),
		copy: async () => ({isInClipboard: false, isInTmux: false, isAsked: true}),
		show: async () => false,
		open: async () => false,
		edit: () => Promise.reject(new Error('no editor')),
		now: Date.now,
	});
const typeCode = (store: Store, text: string, server = 'a'): void =>
	replSession(store.getState).changeRepl(server, {
		draft: insert(store.getState().repls.get(server)?.draft ?? createEditor(), text),
	});
const draftsIn = (root: string): string => join(root, 'drafts');
const filesIn = (root: string): readonly string[] => {
	try {
		return readdirSync(draftsIn(root)).sort();
	} catch {
		return [];
	}
};
const textsIn = (root: string): readonly string[] =>
	filesIn(root)
		.filter(name => !name.endsWith('.broken'))
		.map(name => (JSON.parse(readFileSync(join(draftsIn(root), name), 'utf8')) as {text: string}).text)
		.sort();

/** The store of a program with its drafts, and a stopped clock. */
const program = (
	folder: string,
	{service = 'local', current = 'a'}: {service?: string; current?: string} = {},
) => {
	const store = newStore();
	const keeper = openServiceStorage(folder, service);
	persistDrafts(store, keeper, openDrafts(keeper), draftSources());
	route(store.getState).chooseServer(current);
	return {store, keeper};
};

test('typed text is on disk a second after the last key, and every five seconds while keys continue', () => {
	vi.useFakeTimers();
	using temp = tempFolder();
	const {store} = program(temp.path);
	typeCode(store, 'x');
	vi.advanceTimersByTime(999);
	expect(textsIn(temp.path)).toEqual([]);
	vi.advanceTimersByTime(1);
	expect(textsIn(temp.path)).toEqual(['x']);
	for (let key = 0; key < 9; key++) {
		typeCode(store, 'y');
		vi.advanceTimersByTime(600);
	}
	expect(textsIn(temp.path)).toEqual(['xyyyyyyyyy']);
});

test('a draft belongs to its service, server and field, and its file reveals nothing else', () => {
	using temp = tempFolder();
	const folder = join(temp.path, 'state');
	const first = program(folder);
	typeCode(first.store, 'code of a');
	typeCode(first.store, 'code of __proto__', '__proto__');
	chat(first.store.getState).changeConversation('a', {draft: createEditor('question of a')});
	first.keeper.flush();
	const other = program(folder, {service: 'https://notebooks.example.com'});
	typeCode(other.store, 'code of a elsewhere');
	other.keeper.flush();
	expect(textsIn(folder)).toEqual(['code of __proto__', 'code of a', 'code of a elsewhere', 'question of a']);
	expect(statSync(draftsIn(folder)).mode & 0o777).toBe(0o700);
	for (const name of filesIn(folder)) {
		expect(name).toMatch(/^[0-9a-f]{32}\.json$/);
		expect(statSync(join(draftsIn(folder), name)).mode & 0o777).toBe(0o600);
	}
	const next = program(folder);
	expect(next.store.getState().repls.get('a')?.draft.text).toBe('code of a');
	expect(next.store.getState().conversations.get('a')?.draft.text).toBe('question of a');
	expect(next.store.getState().repls.has('__proto__')).toBe(false);
	route(next.store.getState).chooseServer('__proto__');
	expect(next.store.getState().repls.get('__proto__')?.draft.text).toBe('code of __proto__');
});

test('a draft comes back with its cursor, and leaves the disk when it was sent or deleted', () => {
	using temp = tempFolder();
	const first = program(temp.path);
	replSession(first.store.getState).changeRepl('a', {draft: {...createEditor('one\ntwo'), cursor: 2}});
	first.keeper.flush();
	const second = program(temp.path);
	expect(second.store.getState().repls.get('a')?.draft).toMatchObject({text: 'one\ntwo', cursor: 2});
	replSession(second.store.getState).runCell('a', 'one\ntwo');
	second.keeper.flush();
	expect(textsIn(temp.path)).toEqual([]);
	typeCode(second.store, 'x');
	second.keeper.flush();
	expect(textsIn(temp.path)).toEqual(['x']);
	replSession(second.store.getState).changeRepl('a', {
		draft: backspace(second.store.getState().repls.get('a')!.draft),
	});
	second.keeper.flush();
	expect(textsIn(temp.path)).toEqual([]);
	void chat(second.store.getState).ask('a', 'sent');
	second.keeper.flush();
	expect(textsIn(temp.path)).toEqual([]);
});

test('browsing the history does not replace the draft', () => {
	using temp = tempFolder();
	const {store, keeper} = program(temp.path);
	replSession(store.getState).runCell('a', 'earlier');
	typeCode(store, 'being typed');
	replSession(store.getState).changeRepl('a', {
		draft: createEditor('earlier'),
		historyAt: 0,
		stash: 'being typed',
	});
	keeper.flush();
	expect(textsIn(temp.path)).toEqual(['being typed']);
	typeCode(store, ' changed');
	keeper.flush();
	expect(textsIn(temp.path)).toEqual(['earlier changed']);
});

test('text set aside by Ctrl-C is restored by Up in the next program too', () => {
	using temp = tempFolder();
	const first = program(temp.path);
	typeCode(first.store, 'put aside');
	replSession(first.store.getState).stashCode('a');
	first.keeper.flush();
	const second = program(temp.path);
	expect(second.store.getState().repls.get('a')).toMatchObject({
		draft: {text: ''},
		history: ['put aside'],
		historyAt: 1,
	});
	replSession(second.store.getState).runCell('a', 'something else');
	second.keeper.flush();
	expect(textsIn(temp.path)).toEqual([]);
});

test('a program that empties its field leaves the draft of another one alone', () => {
	using temp = tempFolder();
	const first = program(temp.path);
	const second = program(temp.path);
	typeCode(first.store, 'first');
	first.keeper.flush();
	typeCode(second.store, 'second');
	second.keeper.flush();
	replSession(first.store.getState).stashCode('a');
	replSession(first.store.getState).runCell('a', 'first');
	first.keeper.flush();
	expect(textsIn(temp.path)).toEqual(['second']);
});

test('partial files of a killed program are removed, and those of a living one are not', () => {
	using temp = tempFolder();
	const alive = `a.json.${process.ppid}.tmp`;
	for (const folder of ['drafts', 'conversations/c', 'rates/r', 'places', 'lists', 'cells']) {
		mkdirSync(join(temp.path, folder), {recursive: true});
		for (const name of ['a.json.4194305.tmp', alive]) writeFileSync(join(temp.path, folder, name), '{"te');
	}
	openServiceStorage(temp.path, 'local').sweep();
	const left = readdirSync(temp.path, {recursive: true, encoding: 'utf8'}).filter(name =>
		name.endsWith('.tmp'),
	);
	expect(left.map(name => basename(name))).toEqual(new Array(6).fill(alive));
});

test.each([
	['nothing', ''],
	['half a file', '{"text": "x'],
	['another shape', '{"text": 5, "cursor": -1}'],
	['bytes', '\u0000\uFFFD'],
	['a cursor behind the end', '{"text": "x", "cursor": 99, "savedAt": ""}'],
])(
	'a draft file with %s in it does no harm, and is set aside with a notice when it is unreadable',
	(_, content) => {
		using temp = tempFolder();
		const first = program(temp.path);
		typeCode(first.store, 'x');
		first.keeper.flush();
		const [name = ''] = filesIn(temp.path);
		writeFileSync(join(draftsIn(temp.path), name), content);
		const {store, keeper} = program(temp.path);
		if (content.includes('99'))
			expect(store.getState().repls.get('a')?.draft).toMatchObject({text: 'x', cursor: 1});
		else
			expect(store.getState().notices.map(({text}) => text)).toEqual([
				expect.stringMatching(/^Saved drafts cannot be read; the file was moved to .*\.json\.broken\.$/),
			]);
		typeCode(store, 'y');
		keeper.flush();
		expect(textsIn(temp.path)).toEqual([content.includes('99') ? 'xy' : 'y']);
		if (!content.includes('99'))
			expect(readFileSync(join(draftsIn(temp.path), `${name}.broken`), 'utf8')).toBe(content);
	},
);

test('a folder that cannot be written is reported once', () => {
	using temp = tempFolder();
	const {store, keeper} = program(temp.path);
	typeCode(store, 'x');
	keeper.flush();
	// A folder at the path of the file: even root cannot replace it with a file.
	const [name = ''] = filesIn(temp.path);
	using other = tempFolder();
	mkdirSync(join(draftsIn(other.path), name), {recursive: true});
	const refused = program(other.path);
	for (const key of ['y', 'z']) {
		typeCode(refused.store, key);
		refused.keeper.flush();
	}
	expect(
		refused.store.getState().notices.filter(({text}) => text.startsWith('Drafts cannot be saved')),
	).toHaveLength(1);
	expect(filesIn(other.path)).toEqual([name]);
});

test(
	'in the program: drafts are private files, a broken one is reported and set aside, and a sent one is gone',
	{tags: 'long'},
	async () => {
		await using home = await newHome();
		{
			await using terminal = await openProgram({home});
			await startWelcome(terminal);
			await openRepl(terminal);
			terminal.type('1 + ');
			await terminal.until('>>> 1 +');
			terminal.kill('SIGTERM');
			await terminal.exit;
		}
		expect(draftTexts(home)).toEqual(['1 + ']);
		expect(statSync(draftFolder(home)).mode & 0o777).toBe(0o700);
		const file = join(draftFolder(home), draftNames(home)[0]!);
		expect(statSync(file).mode & 0o777).toBe(0o600);
		writeFileSync(file, '{"text": "1 +');
		await using terminal = await openProgram({home, args: ['--fresh']});
		await terminal.until('Saved drafts cannot be read');
		// Waits for the list from the service. The cached list has no count of ready servers.
		await terminal.until(/ Servers 1 · \d ready/);
		if (/welcome\s.*offline/.test(await terminal.until(/▸ welcome\s/))) await startWelcome(terminal);
		await openRepl(terminal);
		terminal.type('6*7');
		await waitFor(() => expect(draftTexts(home)).toEqual(['6*7']));
		pressAction(terminal, 'repl', 'run');
		await terminal.until(/\[\d\] [^]*→ +42/);
		await waitFor(() => expect(draftNames(home)).toEqual([`${basename(file)}.broken`]));
		await openAssistant(terminal);
		terminal.type('put aside');
		await terminal.until('› put aside');
		pressAction(terminal, 'always', 'interrupt');
		await terminal.gone('› put aside');
		pressAction(terminal, 'always', 'interrupt');
		await terminal.until('again to quit');
		pressAction(terminal, 'always', 'interrupt');
		await expect(terminal.exit).resolves.toMatchObject({code: 0});
		expect(draftTexts(home)).toEqual(['put aside']);
	},
);

type TypedField = {
	readonly name: string;
	/** Opens the field, starting at the list of servers or at the screen of the previous field. */
	readonly open: (terminal: Terminal) => Promise<void>;
	readonly typed: string;
	/** Text that the field shows when its cursor is at the end; `typed` by default. */
	readonly shown?: string;
	/** The text of the draft; `typed` by default. */
	readonly kept?: string;
};

const inFiles =
	(open: (terminal: Terminal) => void, title: string) =>
	async (terminal: Terminal): Promise<void> => {
		pressAction(terminal, 'anywhere', 'files');
		await terminal.until(/^▸/m);
		open(terminal);
		await terminal.until(`╭ ${title}`);
	};

/**
 * Every text field. Excluded are code and question (see `exits.test.ts`) and search fields: filters
 * of lists, `/` in a file, in the cells and in a conversation, earlier code, and pickers of a name
 * in a list (palette, help, messages, models, conversations).
 */
const TYPED_FIELDS: readonly TypedField[] = [
	{
		name: 'command line',
		typed: 'compute gpu>=1 price<2',
		async open(terminal) {
			pressAction(terminal, 'global', 'commandLine');
			await terminal.until('─ Command');
		},
	},
	{
		name: 'path to go to',
		typed: 'src/deep/path.py:120',
		open: inFiles(terminal => pressAction(terminal, 'tree', 'path'), 'Go to a path'),
	},
	{
		name: 'path of a new file',
		typed: 'notes/new.md',
		open: inFiles(terminal => pressAction(terminal, 'tree', 'add'), 'New file'),
	},
	{
		name: 'what to upload',
		typed: 'data/*.csv',
		open: inFiles(terminal => pressAction(terminal, 'tree', 'upload'), 'Upload into'),
	},
	// The cursor is initially after the suggested text.
	{
		name: 'where to download to',
		typed: 'results',
		shown: './results',
		kept: './results',
		open: inFiles(terminal => pressAction(terminal, 'tree', 'download'), 'Download '),
	},
	{
		name: 'name of an exported session',
		typed: 'evening-session',
		async open(terminal) {
			pressAction(terminal, 'anywhere', 'repl');
			await terminal.until('>>>');
			pressAction(terminal, 'repl', 'leave');
			await terminal.until('⏎ type code');
			pressAction(terminal, 'cells', 'save');
			await terminal.until('╭ Write the session');
		},
	},
	{
		name: 'where to write a code block',
		typed: 'answers/fit.py',
		async open(terminal) {
			pressAction(terminal, 'anywhere', 'assistant');
			await terminal.until('esc read the answers');
			if (!terminal.screen().includes('fit()')) {
				ask(terminal, 'how do I fit it?');
				await terminal.until(' in · ');
			}
			pressAction(terminal, 'assistant', 'leave');
			await terminal.until('⏎ ask');
			pressAction(terminal, 'turns', 'writeBlock');
			await terminal.until('╭ Write the code');
		},
	},
	{
		name: 'form of a new server',
		typed: 'trainer-7',
		kept: JSON.stringify({
			name: 'trainer-7',
			environment: 'ai',
			compute: 'cloud-A100 (1x)',
			time: '',
			port: '8888',
		}),
		async open(terminal) {
			pressAction(terminal, 'anywhere', 'servers');
			await terminal.until('⏎ open');
			pressAction(terminal, 'servers', 'create');
			await terminal.until(/╭ Rent a server[^]*Compute +cloud-A100|▸ name/);
		},
	},
	{
		name: 'address to sign in to',
		typed: 'https://other.example',
		kept: JSON.stringify({address: 'https://other.example', profile: ''}),
		async open(terminal) {
			pressAction(terminal, 'anywhere', 'signIn');
			await terminal.until('╭ Sign in');
		},
	},
];

const KEY = 'never-to-be-kept-5f2c';
/** All content of a folder as one text. */
const allBelow = (folder: string): string =>
	readdirSync(folder, {recursive: true, withFileTypes: true})
		.filter(entry => entry.isFile())
		.map(entry => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
		.join('\n');

test(
	`kill -9 while ${TYPED_FIELDS.map(({name}) => name).join(', ')} is typed: the next program restores it in its field, and forgets it once closed`,
	{tags: 'long'},
	async () => {
		await using service = await startHostileService({
			file: ({path}) =>
				success({content: path === '' ? folderEntry('', [fileEntry('plain.txt')]) : fileEntry(path)}),
			chat: () =>
				stream(
					'f:{"messageId":"m"}',
					`0:${JSON.stringify('So:\n```python\nfit()\n```\n')}`,
					'd:{"finishReason":"stop","usage":{"promptTokens":1,"completionTokens":2}}',
				),
		});
		await using home = await newHome();
		const start = async (): Promise<Terminal> => {
			const terminal = await openProgram({home, args: ['--fresh'], columns: 100, rows: 30, env: service.env});
			await terminal.until(/▸ calm +\S ready/);
			pressAction(terminal, 'servers', 'open');
			await terminal.until('plain.txt');
			pressAction(terminal, 'anywhere', 'servers');
			await terminal.until('⏎ open');
			return terminal;
		};
		let terminal = await start();
		try {
			for (const {name, open, typed, shown = typed, kept = typed} of TYPED_FIELDS) {
				await open(terminal);
				terminal.type(typed);
				await terminal.until(shown);
				if (name.includes('sign in')) {
					for (const _ of ['profile', 'key']) pressAction(terminal, 'signIn', 'next');
					terminal.type(KEY);
					await terminal.until('*'.repeat(KEY.length));
				}
				await waitFor(() => expect(draftTexts(home), name).toEqual([kept]));
				terminal.kill('SIGKILL');
				await terminal.exit;
				await terminal[Symbol.asyncDispose]();
				terminal = await start();
				await open(terminal);
				await terminal.until(shown);
				if (!name.includes('sign in')) {
					terminal.type('+');
					await terminal.until(`${shown}+`);
					pressAction(terminal, 'chooser', 'backspace');
				}
				pressAction(terminal, 'chooser', 'killToStart');
				pressAction(terminal, 'chooser', 'close');
				await terminal.gone('╭');
			}
			await waitFor(() => expect(draftTexts(home)).toEqual([]));
		} finally {
			await terminal[Symbol.asyncDispose]();
		}
		expect(allBelow(home.folder)).not.toContain(KEY);
	},
);

test('Ctrl-C closes the form of a new server as Escape does: the next one is empty', async () => {
	await using service = await startHostileService();
	await using home = await newHome();
	await using terminal = await openProgram({home, env: service.env});
	await terminal.until(/▸ calm +\S ready/);
	pressAction(terminal, 'servers', 'create');
	await terminal.until('╭ Rent a server');
	terminal.type('trainer-8');
	await terminal.until('trainer-8');
	pressAction(terminal, 'always', 'interrupt');
	await terminal.gone('╭');
	pressAction(terminal, 'servers', 'create');
	await terminal.until('╭ Rent a server');
	expect(terminal.screen()).not.toContain('trainer-8');
});

test('the form of a new server that was cancelled is empty in the next program', {tags: 'long'}, async () => {
	await using service = await startHostileService();
	await using home = await newHome();
	for (const name of ['trainer-8', 'trainer-9']) {
		await using terminal = await openProgram({home, env: service.env});
		await terminal.until(/▸ calm +\S ready/);
		pressAction(terminal, 'servers', 'create');
		await terminal.until('╭ Rent a server');
		expect(terminal.screen()).not.toContain('trainer');
		terminal.type(name);
		await waitFor(() => expect(draftTexts(home)).toEqual([expect.stringContaining(name)]));
		pressAction(terminal, 'form', 'cancel');
		await terminal.until('Nothing was sent');
		pressAction(terminal, 'global', 'quit');
		await terminal.exit;
		expect(draftTexts(home)).toEqual([]);
	}
});
