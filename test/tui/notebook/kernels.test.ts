import {expect, test} from 'vitest';
import type {Live} from '../../../src/api/client-types.ts';
import {summary} from '../../../src/app/summary.ts';
import {createEditor} from '../../../src/text/editor/editor.ts';
import {cellField} from '../../../src/tui/notebook/code-field.ts';
import {hasChanges, isUnsaved, kernelNameOf} from '../../../src/tui/notebook/open-notebook.ts';
import {unaskedKernels} from '../../support/unasked-link.ts';
import {FILE, gate, openNotebook, textFor, textIn, turns, leftOf} from '../../support/open-notebook.ts';
import {fileViewer} from '../../../src/tui/files/viewer/open-file.ts';
import {notebookKernels} from '../../../src/tui/notebook/kernel.ts';
import {route} from '../../../src/tui/core/store/route.ts';
import {notebookList} from '../../../src/tui/notebook/notebooks.ts';
import {codeHelp} from '../../../src/tui/cells/help/ask.ts';
import {notebookSaving} from '../../../src/tui/notebook/save.ts';
import {notebookOpening} from '../../../src/tui/notebook/open.ts';

/** Kernels of a live link with two of them. */
const kernels = {
	...unaskedKernels,
	specs: async () => ['one', 'two'].map(name => ({name, displayName: name, language: 'python'})),
	replace: async () => ({ok: true, value: null}) as const,
};

test('a kernel that was only looked up is looked up again where the file names another now; a chosen one stays', async () => {
	const reload = async (by: Awaited<ReturnType<typeof openNotebook>>, text: string): Promise<void> => {
		by.files.set(FILE.path, text);
		await fileViewer(by.get).openFile('s', FILE.path);
		await turns();
	};
	const found = await openNotebook(textFor('one', 'a'), {kernels});
	await notebookKernels(found.get).findNotebookKernel(FILE);
	expect(kernelNameOf(found.open())).toBe('one');
	await reload(found, textFor('one', 'changed'));
	expect([found.open().kernel, found.sources()]).toEqual([{name: 'one', spec: null}, ['changed']]);
	await reload(found, textFor('two', 'a'));
	expect([found.open().kernel, kernelNameOf(found.open())]).toEqual([null, 'two']);

	const chosen = await openNotebook(textFor('one', 'a'), {kernels});
	const [, two] = await kernels.specs();
	await notebookKernels(chosen.get).setNotebookKernel(FILE, two!, []);
	await reload(chosen, textFor('third', 'a'));
	expect(chosen.open().kernel).toEqual({name: 'two', spec: two});
	await reload(chosen, textFor('two', 'a'));
	expect(chosen.open().kernel).toEqual({name: 'two', spec: null});
});

test('no kernel gets questions about code before it is the one that the notebook names, or was chosen', async () => {
	const asked: string[] = [];
	const link: Partial<Live> = {
		complete: async (_, __, {kernel}) => {
			asked.push(kernel);
			return null;
		},
		inspect: async (_, __, ___, {kernel}) => {
			asked.push(kernel);
			return '';
		},
	};
	const askAll = async (text: string) => {
		const opened = await openNotebook(text, link);
		const {get, open, keyAt} = opened;
		route(get).focusPart('files', 'viewer');
		const field = cellField(FILE, keyAt(0));
		const edit = (code: string): void =>
			notebookList(get).changeNotebook(FILE, () => ({editing: createEditor(code)}));
		edit('x.app');
		codeHelp(get).completeCode(field);
		await turns();
		codeHelp(get).inspectCode(field, {code: 'x.app', cursor: 5, detail: 0, isAsked: true});
		await turns();
		edit('measu');
		codeHelp(get).completeCode(field);
		await turns();
		return {...opened, editing: open().editing?.text};
	};
	const {said, overService, editing} = await askAll(textFor('ir', 'a', 'measured = 1'));
	expect([asked, overService, editing]).toEqual([[], [], 'measured']);
	expect(said().filter(words => words.startsWith('Choose its kernel first: Esc, then ^K'))).not.toEqual([]);
	expect((await askAll(textFor('python3', 'a'))).said()).not.toContain(
		'Choose its kernel first: Esc, then ^K',
	);
	expect(asked).toEqual(['python3', 'python3', 'python3']);
});

const TWO = {kernelspec: {display_name: 'two', language: 'python', name: 'two'}};

test('a kernel that was chosen is written when the notebook is saved, also where no cell has changed', async () => {
	const {get, files, open, kept} = await openNotebook(textFor('one', 'a'), {kernels});
	const [, two] = await kernels.specs();
	await notebookKernels(get).setNotebookKernel(FILE, two!, []);
	await turns();
	expect([hasChanges(open()), isUnsaved(open()), kept()]).toEqual([true, false, [textIn(TWO, 'a')]]);
	await notebookSaving(get).reviewNotebook(FILE);
	expect(get().dialogs.at(-1)).toMatchObject({kind: 'write-file'});
	route(get).closeDialog();
	await notebookSaving(get).saveNotebook(FILE);
	await turns();
	expect(files.get(FILE.path)).toBe(textIn(TWO, 'a'));
	expect([hasChanges(open()), kept()]).toEqual([false, []]);
});

test('a chosen, unsaved kernel is stored: reported at quit, there when the notebook is resumed, gone when it is chosen back', async () => {
	const {store, get, files, open, kept} = await openNotebook(textFor('one', 'a'), {kernels});
	const [one, two] = await kernels.specs();
	await notebookKernels(get).setNotebookKernel(FILE, two!, []);
	await turns();
	expect(summary(store, null)).toContain('n.ipynb was not saved. Your text is kept');
	// The text of another program is shown, and the chosen kernel remains.
	files.set(FILE.path, textFor('one', 'theirs'));
	await fileViewer(get).openFile('s', FILE.path);
	await turns();
	expect([open().base.content, kept()]).toEqual([textFor('one', 'theirs'), [textIn(TWO, 'theirs')]]);
	await notebookKernels(get).setNotebookKernel(FILE, one!, []);
	await turns();
	expect([kept(), summary(store, null)]).toEqual([[], expect.not.stringContaining('n.ipynb')]);

	const later = await openNotebook(textFor('one'), {kernels});
	const {given} = leftOf(textIn(TWO), textFor('one'));
	await notebookOpening(later.get).resumeNotebook(given);
	expect([kernelNameOf(later.open()), hasChanges(later.open())]).toEqual(['two', true]);
	await notebookSaving(later.get).saveNotebook(FILE);
	expect([later.files.get(FILE.path), later.kept()]).toEqual([textIn(TWO), []]);
});

test('the question for a kernel opens over nothing else, and not over cells that run', async () => {
	const late = async () => {
		const specs = gate();
		const opened = await openNotebook(textFor('third', 'a'), {
			kernels: {
				...kernels,
				async specs() {
					await specs.pass();
					return kernels.specs();
				},
			},
		});
		route(opened.get).focusPart('files', 'viewer');
		specs.close();
		const release = async (): Promise<void> => {
			await turns();
			specs.open();
			await turns();
		};
		return {...opened, release};
	};
	type Late = Awaited<ReturnType<typeof late>>;
	const kinds = ({get}: Late): readonly string[] => get().dialogs.map(({kind}) => kind);
	const still = await late();
	notebookList(still.get).runNotebook(FILE, [still.keyAt(0)]);
	await still.release();
	expect(kinds(still)).toEqual(['notebook-kernel']);

	const others: readonly ((by: Late) => void)[] = [
		({get}) => route(get).focusPart('files', 'tree'),
		({get}) => route(get).go('repl'),
		({get}) => notebookList(get).changeNotebook(FILE, () => ({editing: createEditor('typed')})),
	];
	for (const leave of others) {
		const left = await late();
		notebookList(left.get).runNotebook(FILE, [left.keyAt(0)]);
		leave(left);
		await left.release();
		expect([kinds(left), left.open().runs.size]).toEqual([[], 0]);
		expect(left.said()).toContain('No cell of n.ipynb was run: choose its kernel first, with ^K');
	}

	const chosen = await late();
	void notebookKernels(chosen.get).chooseNotebookKernel(FILE);
	notebookList(chosen.get).runNotebook(FILE, [chosen.keyAt(0)]);
	expect(chosen.open().runs.size).toBe(1);
	await chosen.release();
	expect(kinds(chosen)).toEqual(['notebook-kernel']);
	expect(chosen.said()).toContain(
		'Cells of this notebook are running: choose its kernel when they have ended',
	);
});
