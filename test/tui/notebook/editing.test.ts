// Editing a notebook while another program writes it, a save is slow, or a recovery copy exists.
// The test decides when the files and the link respond.
import {expect, test} from 'vitest';
import type {LiveOutcome} from '../../../src/api/client-types.ts';
import {summary} from '../../../src/app/summary.ts';
import {createEditor} from '../../../src/text/editor/editor.ts';
import {isUnsaved, notebookOn} from '../../../src/tui/notebook/open-notebook.ts';
import {keyOf} from '../../../src/tui/files/content.ts';
import {withoutCell} from '../../../src/text/notebook/edit.ts';
import {FILE, openNotebook, textOf, turns, leftOf} from '../../support/open-notebook.ts';
import {notebookSaving} from '../../../src/tui/notebook/save.ts';
import {fileSaving} from '../../../src/tui/files/saving/saving.ts';
import {notebookOpening} from '../../../src/tui/notebook/open.ts';
import {notebookList} from '../../../src/tui/notebook/notebooks.ts';
import {fileViewer} from '../../../src/tui/files/viewer/open-file.ts';
import {fileChanges} from '../../../src/tui/files/tree/file-operations.ts';

test('text typed while two saves follow each other stays, unsaved and with a copy', async () => {
	const {get, put, sources, open, saving, files, kept, keyAt} = await openNotebook();
	const key = keyAt(0);
	saving.close();
	put(0, 'one');
	void notebookSaving(get).saveNotebook(FILE);
	put(0, 'two');
	void notebookSaving(get).saveNotebook(FILE);
	put(0, 'three');
	await turns();
	saving.one();
	await turns();
	expect([sources(), files.get(FILE.path), kept()]).toEqual([
		['three', 'b'],
		textOf('one', 'b'),
		[textOf('three', 'b')],
	]);
	saving.open();
	await turns();
	expect([sources(), files.get(FILE.path), kept(), isUnsaved(open()), keyAt(0)]).toEqual([
		['three', 'b'],
		textOf('two', 'b'),
		[textOf('three', 'b')],
		true,
		key,
	]);
	await notebookSaving(get).saveNotebook(FILE);
	expect([files.get(FILE.path), kept(), isUnsaved(open())]).toEqual([textOf('three', 'b'), [], false]);
});

test('text typed during the question about a conflict stays when mine is chosen', async () => {
	const {get, put, sources, open, files, keyAt} = await openNotebook();
	const key = keyAt(0);
	files.set(FILE.path, textOf('theirs', 'b'));
	put(0, 'mine');
	await notebookSaving(get).saveNotebook(FILE);
	expect(get().dialogs.at(-1)).toMatchObject({kind: 'write-file', writing: {state: {at: 'conflict'}}});
	put(1, 'typed since');
	fileSaving(get).keepMine();
	await turns();
	await fileSaving(get).saveWriting();
	await turns();
	expect([files.get(FILE.path), sources(), keyAt(0), isUnsaved(open())]).toEqual([
		textOf('mine', 'b'),
		['mine', 'typed since'],
		key,
		true,
	]);
});

test('another writer of the program takes the place of cells only where nothing of them is unsaved, edited or running', async () => {
	const {get, put, sources, files, kept, open} = await openNotebook();
	const write = async (text: string): Promise<void> => {
		await fileSaving(get).proposeWrite('s', FILE.path, text);
		await fileSaving(get).saveWriting();
		await turns();
	};
	await write(textOf('shown', 'b'));
	expect(sources()).toEqual(['shown', 'b']);
	put(0, 'mine');
	await turns();
	await write(textOf('theirs', 'b'));
	expect([sources(), kept(), files.get(FILE.path)]).toEqual([
		['mine', 'b'],
		[textOf('mine', 'b')],
		textOf('theirs', 'b'),
	]);
	// Saving asks the user, because the file has changed since these cells were read.
	await notebookSaving(get).saveNotebook(FILE);
	expect(get().dialogs.at(-1)).toMatchObject({writing: {state: {at: 'conflict'}}});
	expect(isUnsaved(open())).toBe(true);
});

test('leftovers of an earlier program do not replace unsaved cells', async () => {
	const {get, put, sources, said} = await openNotebook();
	const {left, given} = leftOf(textOf('left', 'b'));
	put(0, 'mine');
	await turns();
	expect(await notebookOpening(get).resumeNotebook(given)).toBe(true);
	expect([sources(), left.isGone]).toEqual([['mine', 'b'], false]);
	expect(said().at(-1)).toBe(
		'Save n.ipynb first: it is open here with unsaved work. The earlier edits are kept',
	);
});

test('the copy that an earlier program left goes when another holds its text, and stays where none can be made', async () => {
	const {get, kept, sources, disk} = await openNotebook();
	disk.isFull = true;
	const first = leftOf(textOf('left', 'b'));
	await notebookOpening(get).resumeNotebook(first.given);
	expect([sources(), first.left.isGone]).toEqual([['left', 'b'], false]);

	const other = await openNotebook();
	const second = leftOf(textOf('left', 'b'));
	await notebookOpening(other.get).resumeNotebook(second.given);
	expect([other.kept(), second.left.isGone, kept()]).toEqual([[textOf('left', 'b')], true, []]);
});

test('a cell of Windows lines is parted at the cursor', async () => {
	const {get, press, sources} = await openNotebook(textOf('a\r\nb\r\nc', 'z'));
	press('edit');
	const {text = ''} = get().notebooks.get(keyOf(FILE))?.editing ?? {};
	notebookList(get).changeNotebook(FILE, () => ({
		editing: {...createEditor(text), cursor: text.indexOf('c')},
	}));
	expect(press('split', 'notebookEdit')).toBeUndefined();
	expect(sources()).toEqual(['a\nb', 'c', 'z']);
});

test('text typed just before a split or beside a cell that goes is undone as a step of its own', async () => {
	const {get, press, sources, keyAt} = await openNotebook();
	press('edit');
	notebookList(get).changeNotebook(FILE, () => ({editing: {...createEditor('one two'), cursor: 3}}));
	expect(press('split', 'notebookEdit')).toBeUndefined();
	expect(sources()).toEqual(['one', ' two', 'b']);
	press('undo');
	expect(sources()).toEqual(['one two', 'b']);
	press('undo');
	expect(sources()).toEqual(['a', 'b']);
	expect(press('undo')).toBe('Nothing to undo');

	press('edit');
	notebookList(get).changeNotebook(FILE, () => ({editing: createEditor('typed')}));
	notebookList(get).workNotebook(FILE, (notebook, {at}) => ({notebook: withoutCell(notebook, keyAt(1)), at}));
	expect(sources()).toEqual(['typed']);
	press('undo');
	expect(sources()).toEqual(['typed', 'b']);
	press('undo');
	expect(sources()).toEqual(['a', 'b']);
});

test('a cell that holds pictures of its own is not merged into the one above', async () => {
	const json = JSON.parse(textOf('# above', '![x](attachment:x.png)')) as {cells: Record<string, unknown>[]};
	for (const cell of json.cells) cell['cell_type'] = 'markdown';
	json.cells[1]!['attachments'] = {'x.png': {'image/png': 'AA=='}};
	const {press, sources} = await openNotebook(JSON.stringify(json));
	expect(press('merge')).toBe('The cell below has attached pictures, which merging would lose');
	expect(sources()).toEqual(['# above', '![x](attachment:x.png)']);
});

test('a change that is undone is saved, and no copy of it stays', async () => {
	const {put, press, open, kept} = await openNotebook();
	put(0, 'mine');
	await turns();
	expect([isUnsaved(open()), kept()]).toEqual([true, [textOf('mine', 'b')]]);
	press('undo');
	await turns();
	expect([isUnsaved(open()), kept()]).toEqual([false, []]);
});

test('a failed copy is retried, stays open when the file is closed, and is not reported as stored', async () => {
	const {store, get, put, sources, files, disk, kept, said} = await openNotebook();
	disk.isFull = true;
	put(0, 'mine');
	await turns();
	expect(summary(store, null)).toContain('n.ipynb was not saved, and your changes could not be kept.');
	files.set(FILE.path, textOf('theirs', 'b'));
	await notebookSaving(get).saveNotebook(FILE);
	fileSaving(get).keepTheirs();
	await turns();
	expect(sources()).toEqual(['mine', 'b']);
	expect(said().join('\n')).toContain('n.ipynb stays open: its recovery copy could not be written');
	disk.isFull = false;
	put(0, 'mine again');
	await turns();
	expect(kept()).toEqual([textOf('mine again', 'b')]);
	expect(summary(store, null)).toContain('Your text is kept');
});

test('the last change is not reported as stored when the disk has filled since the copy was made', async () => {
	const {store, put, disk, kept, flush} = await openNotebook();
	put(0, 'mine');
	await turns();
	flush();
	expect(summary(store, null)).toContain('Your text is kept');
	disk.isFull = true;
	put(0, 'mine, and more');
	await turns();
	flush();
	expect(kept()).toEqual([textOf('mine', 'b')]);
	expect(summary(store, null)).toContain('Your latest changes could not be kept');
	disk.isFull = false;
	flush();
	expect(kept()).toEqual([textOf('mine, and more', 'b')]);
	expect(summary(store, null)).toContain('Your text is kept');
});

test('text written for a cell in an editor lands in it, with any change of the file in between', async () => {
	const {get, press, outside, files, sources, keyAt} = await openNotebook();
	const key = keyAt(0);
	press('editor');
	await turns();
	files.set(FILE.path, textOf('theirs', 'b'));
	await fileViewer(get).openFile('s', FILE.path);
	outside.end('mine');
	await turns();
	expect([sources(), keyAt(0)]).toEqual([['mine', 'b'], key]);
});

test('a renamed notebook stays open with its unsaved edits, and is not renamed while a cell of it runs', async () => {
	const {get, put, cells, keyAt, files, copies} = await openNotebook();
	put(0, 'mine');
	notebookList(get).runNotebook(FILE, [keyAt(1)]);
	await turns();
	expect(await fileChanges(get).moveFile('s', FILE.path, 'm.ipynb')).toBe(
		'A cell of n.ipynb is running: stop it or wait for it',
	);
	cells.sent[0]?.end({kind: 'done'} as LiveOutcome);
	await turns();
	expect(await fileChanges(get).moveFile('s', FILE.path, 'm.ipynb')).toBeUndefined();
	await turns();
	const moved = notebookOn(get(), 's');
	expect([moved?.path, moved?.notebook.cells[0]?.source, copies[0]?.file]).toEqual([
		'm.ipynb',
		'mine',
		'm.ipynb',
	]);
	await notebookSaving(get).saveNotebook({server: 's', path: 'm.ipynb'});
	expect([files.get('m.ipynb')?.includes('mine'), files.has(FILE.path)]).toEqual([true, false]);
});

test('leaving a cell is a step of undo like any other, up to a limit', async () => {
	const {get, open, press} = await openNotebook(textOf('a'));
	for (let time = 0; time < 120; time++) {
		press('edit');
		notebookList(get).changeNotebook(FILE, () => ({editing: createEditor(`a = ${time}`)}));
		press('leave', 'notebookEdit');
	}
	expect([open().past.length, open().past.at(-1)?.notebook.cells[0]?.source]).toEqual([100, 'a = 118']);
});

test('the key to work in a notebook that is pressed twice opens it once', async () => {
	const {get, open} = await openNotebook();
	notebookList(get).dropNotebook(FILE);
	const first = notebookOpening(get).workInNotebook('s');
	const second = notebookOpening(get).workInNotebook('s');
	await first;
	const opened = open();
	await second;
	expect(open()).toBe(opened);
});
