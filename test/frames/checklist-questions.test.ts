// A question about the content on screen: keys are typed into the question, and Esc returns to the
// content.
import {expect, test} from 'vitest';
import {fileViewer} from '../../src/tui/files/viewer/open-file.ts';
import type {Store} from '../../src/tui/core/program.ts';
import {conversationOf} from '../../src/tui/assistant/conversation.ts';
import {route} from '../../src/tui/core/store/route.ts';
import {shownText, withScene} from './draw.tsx';
import {sceneName, type Scene} from './scene.ts';
import {scenes} from './scenes/index.ts';
import {SERVER} from './scenes/support.ts';

const SIZE = {columns: 120, rows: 40};
const ESC = '\u001B[27u';

const sceneOf = (name: string): Scene => scenes.find(scene => sceneName(scene) === name)!;

const question = (store: Store) => {
	const {draft, attached} = conversationOf(store.getState(), SERVER);
	return {text: draft.text, attached: attached.map(({mention}) => mention)};
};
/** The focus, and the marked lines. */
const place = (store: Store) => {
	const {screen, paneFocus, main, viewers, notebooks} = store.getState();
	const {mark, top, line} = viewers.get(SERVER)!;
	return {screen, paneFocus, main, mark, top, line, notebooks};
};

const MARKED: Scene = {
	...sceneOf('files code'),
	async arrive(store, clock) {
		await sceneOf('files code').arrive(store, clock);
		fileViewer(store.getState).changeViewer(SERVER, {mark: {from: 1, to: 3}});
	},
};

test('after @ typed letters appear in the question, and Esc returns to the same marked lines', async () => {
	await withScene(MARKED, SIZE, async ({store, press}) => {
		const before = place(store);
		await press('@');
		const asked = await shownText(await press('why float?'), SIZE);
		expect(question(store)).toEqual({text: 'why float?', attached: ['@train.py#L2-4']});
		expect(asked).toMatch(/› why float\?/);
		expect(asked).toContain('@train.py#L2-4');
		expect(asked).toMatch(/esc files *$/m);
		const back = await shownText(await press(ESC), SIZE);
		expect(place(store)).toEqual(before);
		expect(back).toMatch(/▌ 2 [^]*▌ 4 /);
		expect(back).toMatch(/esc clear the marks *$/m);
		expect(question(store).text).toBe('why float?');
	});
});

test('@ on a cell of a notebook asks about it, and Esc returns to the cell', async () => {
	await withScene(sceneOf('files notebook-marked'), SIZE, async ({store, press}) => {
		const before = place(store);
		await press('@');
		await press('what is it?');
		expect(question(store)).toEqual({text: 'what is it?', attached: ['@cell']});
		await press(ESC);
		expect(place(store)).toEqual(before);
	});
});

test('@ on a cell of the REPL asks about it, and Esc returns to the cell', async () => {
	await withScene(sceneOf('repl cells'), SIZE, async ({store, press}) => {
		const selected = store.getState().repls.get(SERVER)?.selected;
		await press('@');
		await press('what is it?');
		const asked = question(store);
		expect(asked.text).toBe('what is it?');
		expect(asked.attached).toEqual([expect.stringMatching(/^@cell:\d+$/)]);
		await press(ESC);
		const {screen, paneFocus, repls} = store.getState();
		expect([screen, paneFocus.repl, repls.get(SERVER)?.selected]).toEqual(['repl', 'cells', selected]);
	});
});

test('E asks about an error with the keys in the question, and Esc returns to the cell', async () => {
	await withScene(sceneOf('repl cells'), SIZE, async ({store, press, settled}) => {
		const {cells} = store.getState().repls.get(SERVER)!;
		const failed = cells.findIndex(({result}) => result?.outputs.some(each => each.output_type === 'error'));
		await press('['.repeat(cells.length - 1 - failed));
		await press('E');
		await expect.poll(() => store.getState().dialogs.at(-1)?.kind).toBe('explain');
		await press('y');
		await settled();
		await press('and then?');
		expect(store.getState().screen).toBe('assistant');
		expect(question(store).text).toBe('and then?');
		await press(ESC);
		const {screen, paneFocus, repls} = store.getState();
		expect([screen, paneFocus.repl]).toEqual(['repl', 'cells']);
		expect(repls.get(SERVER)?.selected ?? cells.at(-1)?.id).toBe(cells[failed]?.id);
	});
});

test('Esc reads the answers as before if the focus came to the question in another way', async () => {
	await withScene(MARKED, SIZE, async ({store, press}) => {
		await press('@');
		await press(ESC);
		await press('6');
		await press(ESC);
		const {screen, paneFocus, returnTo} = store.getState();
		expect([screen, paneFocus.assistant, returnTo]).toEqual(['assistant', 'turns', null]);
		route(store.getState).focus('files');
	});
});
