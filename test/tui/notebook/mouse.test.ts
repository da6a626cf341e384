// The wheel over the viewer, which shows a file or a notebook.
import {expect, test} from 'vitest';
import {takeMouse} from '../../../src/tui/core/keys/mouse.ts';
import type {State} from '../../../src/tui/core/program.ts';
import {route} from '../../../src/tui/core/store/route.ts';
import {fileViewer} from '../../../src/tui/files/viewer/open-file.ts';
import {openNotebook, textOf} from '../../support/open-notebook.ts';

const SIZE = {columns: 80, rows: 24};
/** Turns the wheel by one notch over the last row of the viewer. */
const wheelDown = (get: () => State): void =>
	takeMouse({get, ...SIZE, act() {}, press() {}, draw() {}}, {did: 'wheelDown', x: 5, y: 20});

const opened = async (...sources: readonly string[]) => {
	const at = await openNotebook(textOf(...sources));
	route(at.get).focusPart('files', 'viewer');
	return at;
};
const SOURCES = ['a', 'b', 'c', 'd', 'e'];

test('the wheel over a notebook chooses its cells', async () => {
	const {get, open, keyAt} = await opened(...SOURCES);
	wheelDown(get);
	expect(open().at).toBe(keyAt(3));
});

test('the wheel leaves the cell that is being typed in', async () => {
	const {get, open, press, keyAt} = await opened(...SOURCES);
	press('edit');
	wheelDown(get);
	expect(open().at).toBe(keyAt(0));
});

test('the wheel over a file scrolls it', async () => {
	const {get, files} = await opened('a');
	files.set('long.txt', Array.from({length: 100}, (_, line) => `line ${line}`).join('\n'));
	await fileViewer(get).openFile('s', 'long.txt');
	wheelDown(get);
	expect(get().viewers.get('s')?.top.line).toBe(3);
});
