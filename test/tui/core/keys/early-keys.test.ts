import fc from 'fast-check';
import {afterEach, expect, test} from 'vitest';
import type {UnsavedEdit} from '../../../../src/storage/unsaved-edits.ts';
import type {State} from '../../../../src/tui/core/program.ts';
import {KEY} from '../../../../src/tui/core/keys/ink-input.tsx';
import {newForm, movedTo} from '../../../../src/tui/servers/create/form.ts';
import {ready, server} from '../../../support/factories.ts';
import {openScreens, turn} from '../../../support/screens.tsx';
import {testCases} from '../../../support/test-cases.ts';
import {renting} from '../../../../src/tui/servers/create/submit.ts';
import {serverAddresses} from '../../../../src/tui/servers/addresses.ts';
import {route} from '../../../../src/tui/core/store/route.ts';
import {fileTransfers} from '../../../../src/tui/files/tree/transfers.ts';
import {unsavedEdits} from '../../../../src/tui/files/saving/unsaved-edits.ts';

// Keys that arrive in the same read as the key that opens a dialog. The user has not seen the
// dialog yet, but each key must have the effect that it would have later.

const ESC = '\u001B[27u';
const SERVERS = ready([
	server({status: 'offline'}),
	server({name: 'trainer', url: 'http://127.0.0.1:1/', assistant_editor_url: 'http://127.0.0.1:2/'}),
]);

let open: ReturnType<typeof openScreens> | undefined;
const screens = (state: Partial<State> = {}) => {
	open = openScreens({servers: SERVERS, current: 'welcome', connection: {status: 'ready'}, ...state});
	return open;
};
afterEach(() => {
	open?.close();
});

const settled = async (): Promise<void> => {
	for (let count = 0; count < 20; count++) await turn();
};

test('a list of addresses is opened, moved in and used before it is drawn', async () => {
	const opened: string[] = [];
	const {store, type, until} = screens();
	Object.assign(serverAddresses(store.getState), {
		openAddress: async (_: string, name: string) => void opened.push(name),
	});
	await until(/trainer/);
	type(`jo${KEY.down}${KEY.down}${KEY.up}${KEY.enter}`);
	await settled();
	expect(opened).toEqual(['editor']);
});

test('whether a file is written over is answered before the question is drawn, by list and by letter', async () => {
	const answers: string[] = [];
	const {store, type, until} = screens();
	Object.assign(fileTransfers(store.getState), {
		answerOverwrite: (answer: string) => void answers.push(answer),
	});
	await until(/trainer/);
	route(store.getState).openDialog({kind: 'overwrite', path: 'data.csv', direction: 'upload'});
	type(`k${KEY.up}${KEY.enter}jj${KEY.enter}a`);
	await settled();
	expect(answers).toEqual(['overwrite', 'skip', 'overwrite-all']);
});

test('an edit is discarded by the y behind its question, and not by what comes behind a no', async () => {
	const discarded: string[] = [];
	const {store, type, until} = screens();
	Object.assign(unsavedEdits(store.getState), {
		discardEdit: ({path}: UnsavedEdit) => void discarded.push(path),
	});
	await until(/trainer/);
	const edit: UnsavedEdit = {
		path: '/edits/1/train.py',
		text: 'x',
		name: 'train.py',
		about: {what: 'file', server: 'welcome', path: 'train.py'},
		before: null,
		at: 0,
		isLeft: false,
		beside: [],
		take() {},
	} as never;
	route(store.getState).openDialog({kind: 'kept-edit', edit, rows: [], isDiscarding: false});
	type('xn');
	await settled();
	expect(discarded).toEqual([]);
	type('xnxy');
	await settled();
	expect(discarded).toEqual(['/edits/1/train.py']);
});

test('a form is opened and filled in one read, its short field too, and confirmed by the next one', async () => {
	let sent = 0;
	const {store, type, until} = screens();
	Object.assign(renting(store.getState), {rent: async () => void sent++});
	await until(/trainer/);
	type(`cnnew${KEY.backspace}st\t\t\t80${KEY.left}9\u007F${KEY.left}9${KEY.enter}y`);
	await settled();
	expect(store.getState().dialogs).toMatchObject([
		{kind: 'create', form: {at: 'review', name: 'nest', port: '980'}},
	]);
	expect(sent).toBe(0);
	await until(/nest[^]*y Rent/);
	type('y');
	await settled();
	expect(sent).toBe(1);
});

test('a key pressed behind a form that is being sent waits for its end; an Esc in the same burst does not close the next dialog', async () => {
	const {store, type, until} = screens();
	const form = movedTo(newForm({name: 'new'}), 'review');
	Object.assign(renting(store.getState), {
		rent: async () =>
			route(store.getState).changeDialog({kind: 'create', form: {...form, sending: 'asking'}}),
	});
	route(store.getState).openDialog({kind: 'create', form});
	await until(/Rent a server/);
	type(`y2?${ESC}3`);
	await settled();
	expect(store.getState().dialogs).toMatchObject([{kind: 'create', form: {sending: 'asking'}}]);
	route(store.getState).closeDialog();
	await settled();
	expect(store.getState()).toMatchObject({dialogs: [], screen: 'environments', previousScreen: 'compute'});
});

test('a key pressed while a form is being sent goes neither to a repeated question nor to its replacement', async () => {
	const {store, type, until} = screens();
	const form = movedTo(newForm({name: 'new'}), 'review');
	route(store.getState).openDialog({kind: 'create', form: {...form, sending: 'asking'}});
	await until(/Rent a server/);
	type('y');
	await settled();
	route(store.getState).changeDialog({kind: 'create', form: {...form, refusal: 'no'}});
	await settled();
	expect(store.getState().dialogs).toMatchObject([{kind: 'create', form: {sending: null, refusal: 'no'}}]);
	route(store.getState).changeDialog({kind: 'create', form: {...form, sending: 'asking'}});
	await settled();
	type(KEY.enter);
	await settled();
	route(store.getState).closeDialog();
	route(store.getState).openDialog({kind: 'price', server: 'new', quoted: 1, charged: 2});
	await settled();
	expect(store.getState().dialogs).toMatchObject([{kind: 'price'}]);
});

const KEYS = [
	'1',
	'2',
	'j',
	'k',
	'o',
	'c',
	's',
	'i',
	'/',
	':',
	'?',
	'8',
	'x',
	'é',
	'\t',
	ESC,
	...Object.values(KEY),
];

testCases('keys through every layer do together what they do one by one', 30, async cases => {
	const play = async (reads: readonly string[]) => {
		const {store, type, until, close} = screens();
		Object.assign(serverAddresses(store.getState), {openAddress: async () => {}});
		Object.assign(renting(store.getState), {rent: async () => {}});
		await until(/trainer/);
		for (const read of reads) {
			type(read);
			await settled();
		}
		const state = (): unknown => {
			// Excludes the current server. A filter that matches a server, and with its next letter
			// none, selects that server if a frame was drawn in between.
			const {dialogs, screen, lists, lines, filtering} = store.getState();
			// Excludes the undo history: keys that arrive together are undone together.
			return JSON.parse(
				JSON.stringify({dialogs, screen, lists, lines, filtering}, (key, value: unknown) =>
					['past', 'future', 'last'].includes(key) ? undefined : value,
				),
			);
		};
		return {state, close};
	};
	await fc.assert(
		fc.asyncProperty(fc.array(fc.constantFrom(...KEYS), {minLength: 1, maxLength: 12}), async keys => {
			const apart = await play(keys);
			const expected = apart.state();
			apart.close();
			const together = await play([keys.join('')]);
			// The position of the cursor is stored when it is drawn.
			await expect.poll(together.state, {timeout: 10_000}).toEqual(expected);
			together.close();
		}),
		{
			// The examples are the first runs.
			numRuns: 4 + cases,
			examples: [
				[['c', 'x', '\t', '\t', '\t', '8', KEY.left, '1', KEY.backspace, KEY.enter]],
				[['j', 'o', KEY.down, ESC, 'o', KEY.enter]],
				[[':', 'x', ESC, '?', 'j', KEY.down, KEY.enter]],
				[['c', KEY.up, '1', 'é']],
			],
		},
	);
});
