// Completion and documentation over a live link whose responses the test determines (late, never,
// or empty), and without a link.
import {expect, test} from 'vitest';
import type {Client, Live, LiveCompletion} from '../../../../src/api/client-types.ts';
import {createStore} from '../../../../src/tui/create-store.ts';
import type {Store} from '../../../../src/tui/core/program.ts';
import {replField} from '../../../../src/tui/repl/field.ts';
import {createEditor, insert} from '../../../../src/text/editor/editor.ts';
import {cell, ready, server} from '../../../support/factories.ts';
import {route} from '../../../../src/tui/core/store/route.ts';
import {replSession} from '../../../../src/tui/repl/session.ts';
import {serverLinks} from '../../../../src/tui/live/links.ts';
import {codeHelp} from '../../../../src/tui/cells/help/ask.ts';
const FIELD = replField('s');

const COMPLETION: LiveCompletion = {
	from: 3,
	to: 5,
	words: ['pardir', 'path', 'pathsep'].map(text => ({text, kind: 'module', signature: ''})),
};

/** A store whose REPL contains this text, with a link that has these functions. */
const openRepl = async (text: string, link: Partial<Live> | null) => {
	const asked: string[] = [];
	const live = {
		complete: async () => COMPLETION,
		inspect: async () => 'Signature: f()',
		close() {},
		...link,
	} as unknown as Live;
	const client = {
		live: async () => (link === null ? {says: 'it has none'} : {live}),
		runCode: async (_: string, {code}: {readonly code: string}) => {
			asked.push(code);
			return new Promise(() => {});
		},
	} as unknown as Client;
	const store = createStore({
		client: async () => client,
		now: Date.now,
		copy: async () => ({isInClipboard: false, isInTmux: false, isAsked: true}),
		show: async () => false,
		edit: async () => Promise.reject(new Error('no editor')),
		open: async () => false,
	});
	store.setState({servers: ready([server({name: 's'})]), current: 's', screen: 'repl'});
	route(store.getState).focusPart('repl', 'repl');
	replSession(store.getState).changeRepl('s', {draft: createEditor(text)});
	await serverLinks(store.getState).linkOf('s');
	return {store, asked};
};
const textOf = (store: Store): string | undefined => store.getState().repls.get('s')?.draft.text;
const type = (store: Store, text: string): void => {
	const {draft = createEditor()} = store.getState().repls.get('s') ?? {};
	replSession(store.getState).changeRepl('s', {draft: insert(draft, text)});
};
const namesIn = (store: Store): readonly string[] | undefined =>
	store.getState().completions?.fitting.map(({text}) => text);
const said = (store: Store): string | undefined => store.getState().notices.at(-1)?.text;
const turns = async (): Promise<void> => {
	for (let turn = 0; turn < 5; turn++) await new Promise(resolve => setImmediate(resolve));
};

test("the menu opens with the kernel's completions, narrows without asking again, and the chosen one is in the text", async () => {
	let asks = 0;
	const {store, asked} = await openRepl('os.pa', {
		complete: async () => {
			asks++;
			return COMPLETION;
		},
	});
	codeHelp(store.getState).completeCode(FIELD);
	await turns();
	expect(namesIn(store)).toEqual(['pardir', 'path', 'pathsep']);
	type(store, 't');
	expect(namesIn(store)).toEqual(['path', 'pathsep']);
	codeHelp(store.getState).moveInCompletions(-1);
	expect(store.getState().completions?.at).toBe(1);
	codeHelp(store.getState).acceptCompletion();
	expect([textOf(store), namesIn(store), asks, asked]).toEqual(['os.pathsep', undefined, 1, []]);
	expect(store.getState().repls.get('s')?.history).toEqual([]);
});

test('a reply for an outdated text is dropped, and so is one to an earlier question', async () => {
	const answers: ((found: LiveCompletion | null) => void)[] = [];
	const {store} = await openRepl('os.pa', {
		complete: async () => new Promise(resolve => answers.push(resolve)),
	});
	codeHelp(store.getState).completeCode(FIELD);
	await turns();
	type(store, 't');
	answers[0]?.(COMPLETION);
	await turns();
	expect([textOf(store), namesIn(store)]).toEqual(['os.pat', undefined]);
	codeHelp(store.getState).completeCode(FIELD);
	codeHelp(store.getState).completeCode(FIELD);
	await turns();
	answers[1]?.({from: 3, to: 6, words: [{text: 'wrong', kind: '', signature: ''}]});
	await turns();
	expect(textOf(store)).toBe('os.pat');
	answers[2]?.({from: 3, to: 6, words: [{text: 'path', kind: '', signature: ''}]});
	await turns();
	expect(textOf(store)).toBe('os.path');
});

test('another screen, part, dialog or a changed text elsewhere closes the menu', async () => {
	const leave: readonly ((store: Store) => void)[] = [
		store => store.setState({screen: 'files'}),
		store => route(store.getState).focusPart('repl', 'cells'),
		store => route(store.getState).openDialog({kind: 'history', server: 's'}),
		store => replSession(store.getState).changeRepl('s', {draft: createEditor('other')}),
		store => codeHelp(store.getState).closeCompletions(),
	];
	for (const go of leave) {
		const {store} = await openRepl('os.pa', {});
		codeHelp(store.getState).completeCode(FIELD);
		await turns();
		expect(store.getState().completions).not.toBeNull();
		go(store);
		expect(store.getState().completions).toBeNull();
	}
});

test('while a cell runs the names used so far are offered, otherwise a notice says that the kernel is busy', async () => {
	const {store} = await openRepl('measured', {complete: async () => Promise.reject(new Error('asked'))});
	replSession(store.getState).changeRepl('s', {history: ['measured_here = measured_there = 1']});
	const {repls} = store.getState();
	const repl = repls.get('s')!;
	store.setState({repls: new Map(repls).set('s', {...repl, cells: [cell({state: 'running'})]})});
	expect(codeHelp(store.getState).completeCode(FIELD)).toBeUndefined();
	expect([textOf(store), namesIn(store)]).toEqual(['measured_', ['measured_here', 'measured_there']]);
	replSession(store.getState).changeRepl('s', {draft: createEditor('x.app')});
	expect(codeHelp(store.getState).completeCode(FIELD)).toMatch(/is running a cell/);
	codeHelp(store.getState).inspectCode(FIELD, {code: 'x', cursor: 1, detail: 0, isAsked: true});
	expect(said(store)).toMatch(/is running a cell/);
});

test('a kernel that does not reply, or knows nothing, is reported; without a key press it is not', async () => {
	const {store} = await openRepl('os.pa', {complete: async () => null, inspect: async () => ''});
	codeHelp(store.getState).completeCode(FIELD);
	await turns();
	expect(said(store)).toMatch(/did not reply/);
	codeHelp(store.getState).inspectCode(FIELD, {code: 'os.pa', cursor: 5, detail: 0, isAsked: true});
	await turns();
	expect(said(store)).toMatch(/There is no documentation/);
	const before = store.getState().notices.length;
	codeHelp(store.getState).inspectCode(FIELD, {code: 'os.pa', cursor: 5, detail: 1, isAsked: false});
	await turns();
	expect(store.getState().notices).toHaveLength(before);
	const {store: other} = await openRepl('os.pa', {complete: async () => ({from: 3, to: 5, words: []})});
	codeHelp(other.getState).completeCode(FIELD);
	await turns();
	expect(said(other)).toBe('No other names start with pa');
});

test('documentation stays during typing, and disappears with the text', async () => {
	const {store} = await openRepl('f(', {});
	codeHelp(store.getState).inspectCode(FIELD, {code: 'f(', cursor: 2, detail: 0, isAsked: true});
	type(store, '1, ');
	await turns();
	expect(store.getState().documentation).toMatchObject({text: 'Signature: f()', hasSource: false, top: 0});
	type(store, '2)');
	expect(store.getState().documentation).not.toBeNull();
	replSession(store.getState).changeRepl('s', {draft: createEditor()});
	expect(store.getState().documentation).toBeNull();
});

test('documentation goes when another text takes the place of its name', async () => {
	const {store} = await openRepl('x = os.path(', {});
	codeHelp(store.getState).inspectCode(FIELD, {code: 'x = os.path(', cursor: 12, detail: 0, isAsked: true});
	await turns();
	replSession(store.getState).changeRepl('s', {draft: createEditor('y = 2 * os.path(3)')});
	expect(store.getState().documentation).not.toBeNull();
	replSession(store.getState).changeRepl('s', {draft: createEditor('print(1)')});
	expect(store.getState().documentation).toBeNull();
});

test('without a link names are completed as before, and documentation names its source', async () => {
	const {store, asked} = await openRepl('measured_l', null);
	replSession(store.getState).changeRepl('s', {history: ['measured_length = 1']});
	codeHelp(store.getState).completeCode(FIELD);
	await turns();
	expect([textOf(store), namesIn(store), asked]).toEqual(['measured_length', undefined, []]);
	codeHelp(store.getState).inspectCode(FIELD, {code: 'f', cursor: 1, detail: 0, isAsked: true});
	type(store, '');
	await turns();
	expect(store.getState().documentation).toBeNull();
});
