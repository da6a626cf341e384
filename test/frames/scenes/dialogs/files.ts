import type {Client} from '../../../../src/api/client-types.ts';
import type {Store} from '../../../../src/tui/core/program.ts';
import type {Match} from '../../../../src/api/search/search-page.ts';
import type {Search} from '../../../../src/tui/files/search/file-search.ts';
import {broken, folder, keptEdits, LONG, TRAIN, TRAIN_LATER, text} from '../../data.ts';
import {reply} from '../../scene.ts';
import type {Clock} from '../../stopped-clock.ts';
import {runAction} from '../../../support/run-action.ts';
import {everything, openFile, unfoldAll, withNotebook, workInNotebook} from '../panes.ts';
import {failed, lists} from '../support.ts';
import {server, type Parts} from './part.ts';
import {route} from '../../../../src/tui/core/store/route.ts';
import {fileSaving} from '../../../../src/tui/files/saving/saving.ts';
import {notebookList} from '../../../../src/tui/notebook/notebooks.ts';
import {unsavedEdits} from '../../../../src/tui/files/saving/unsaved-edits.ts';

/** Client whose second read of `train.py`, and each later one, returns a different text. */
const changing = (clock: Clock): Partial<Client> => {
	let reads = 0;
	return {
		...everything(clock),
		async getTaggedFile() {
			const content = reads++ === 0 ? TRAIN : TRAIN.replace('weather', 'wether').replace('# Path', '');
			return reply({value: {entry: text('train.py', content), tag: null}});
		},
	};
};
const propose = async (store: Store): Promise<void> =>
	fileSaving(store.getState).proposeWrite(server, 'train.py', TRAIN_LATER);
const conflict = async (store: Store): Promise<void> => {
	await propose(store);
	await fileSaving(store.getState).saveWriting();
};

const matchAt = (path: string, line: number, text: string, found: string): Match => ({
	path,
	line,
	text,
	start: text.indexOf(found),
	end: text.indexOf(found) + found.length,
	before: line > 1 ? ['import json'] : [],
	after: ['\tlines = path.read_text().splitlines()  # Path'],
});
const searchIn = (phase: Search['phase'], startedAt: number, at: number): Search => ({
	server,
	pattern: 'load',
	matches:
		phase === 'failed' || phase === 'asks'
			? []
			: [
					matchAt('train.py', 14, 'def load(path):', 'load'),
					matchAt('train.py', 120, '    図表 = load("weather.csv")  # \u001B[31mred', 'load'),
					matchAt(`models/${LONG}.py`, 1, `${'x = 1; '.repeat(20)}load`, 'load'),
				],
	searched: 42,
	phase,
	says: phase === 'failed' ? 'Not a regular expression: unterminated subpattern at position 3.' : '',
	startedAt,
	at,
	chosen: null,
});

export const filesDialogs = {
	'add-file': [{state: 'empty', on: 'files', open: {kind: 'add-file', server, folder: 'data/'}}],
	'move-file': [
		{
			state: 'full',
			on: 'files',
			open: {kind: 'move-file', server, path: `models/${LONG}.bin`, isFolder: false},
		},
		{
			state: 'sending',
			on: 'files',
			open: {kind: 'move-file', server, path: 'train.py', isFolder: false, isSent: true},
		},
	],
	'make-folder': [{state: 'full', on: 'files', open: {kind: 'make-folder', server, above: 'data'}}],
	'remove-file': [
		{
			state: 'file',
			on: 'files',
			open: {kind: 'remove-file', server, path: `models/${LONG}/図表.png`, isFolder: false, holds: 0},
		},
		{
			state: 'folder',
			on: 'files',
			open: {kind: 'remove-file', server, path: 'data', isFolder: true, holds: 1234},
		},
		{
			state: 'looking',
			on: 'files',
			open: {kind: 'remove-file', server, path: 'data', isFolder: true, holds: 'asking'},
		},
	],
	transfer: [
		{state: 'upload', on: 'files', open: {kind: 'transfer', server, direction: 'upload', path: ''}},
		{
			state: 'download',
			on: 'files',
			open: {kind: 'transfer', server, direction: 'download', path: `models/${LONG}.bin`},
		},
	],
	overwrite: [
		{
			state: 'upload',
			on: 'files',
			open: {kind: 'overwrite', path: `models/${LONG}/図表.png`, direction: 'upload'},
		},
		{
			state: 'download',
			on: 'files',
			open: {kind: 'overwrite', path: '/home/ada/train.py', direction: 'download'},
		},
		{
			state: 'hidden',
			on: 'files',
			open: {kind: 'overwrite', path: 'work/.bashrc', direction: 'download', isHidden: true},
		},
	],
	'go-to-path': [
		{
			state: 'empty',
			on: 'files',
			service: clock => ({...everything(clock), getFile: async () => reply({value: folder('')})}),
			open: {kind: 'go-to-path', server},
		},
		{state: 'full', on: 'files', arrive: unfoldAll, open: {kind: 'go-to-path', server}},
	],
	'search-files': [
		{state: 'empty', on: 'files', open: {kind: 'search-files', server}},
		...(['running', 'done', 'stopped', 'failed', 'asks'] as const).map(phase => ({
			state: phase,
			on: 'files' as const,
			arrive: async (store: Store, clock: Clock) => {
				const startedAt = clock.now();
				clock.pass(3200);
				store.setState({search: searchIn(phase, startedAt, clock.now())});
			},
			open: {kind: 'search-files' as const, server},
		})),
	],
	'list-by-code': [
		{
			state: 'full',
			on: 'files',
			service: () => ({...lists(), getFile: async () => reply(failed({...broken('/files/'), status: 500}))}),
			open: {kind: 'list-by-code', server},
		},
	],
	'notebook-kernel': [
		{
			state: 'choose',
			on: 'files',
			open: {
				kind: 'notebook-kernel',
				file: {server, path: 'long/training.ipynb'},
				specs: [
					{name: 'ir', displayName: 'R', language: 'R'},
					{name: 'python3', displayName: 'Python 3 (ipykernel)', language: 'python'},
				],
				keys: [],
			},
		},
	],
	'notebook-headings': [
		{
			state: 'full',
			on: 'files',
			service: withNotebook,
			arrive: async store => {
				await workInNotebook(store);
				const file = {server, path: 'weather.ipynb'};
				notebookList(store.getState).changeNotebook(file, ({notebook}) => ({
					at: notebook.cells[0]?.key ?? -1,
					notebook: {
						...notebook,
						cells: notebook.cells
							.slice(0, 1)
							.map(cell => ({...cell, source: '# Weather\n## Stations\n## 雨 in each month'})),
					},
				}));
				runAction(store.getState, 'notebook', 'headings');
			},
		},
	],
	'save-large': [
		{
			state: 'full',
			on: 'files',
			open: {kind: 'save-large', file: {server, path: 'long/training.ipynb'}, size: 23_400_000},
		},
	],
	'write-file': [
		{state: 'change', on: 'files', arrive: propose},
		{
			state: 'new',
			on: 'files',
			arrive: store =>
				fileSaving(store.getState).proposeWrite(server, 'models/新しい.py', 'print("hello")\n'),
		},
		{state: 'conflict', on: 'files', service: changing, arrive: conflict},
		{
			state: 'overwrite',
			on: 'files',
			service: changing,
			arrive: async store => (await conflict(store), fileSaving(store.getState).keepMine()),
		},
		{
			state: 'failed',
			on: 'files',
			service: clock => ({
				...everything(clock),
				putFile: async () => reply(failed(broken('/servers/trainer/files/train.py', 'PUT'))),
			}),
			arrive: async store => (await propose(store), fileSaving(store.getState).saveWriting()),
		},
		{
			state: 'saving',
			on: 'files',
			arrive: async store => (await propose(store), void fileSaving(store.getState).saveWriting()),
		},
	],
	'kept-edits': [{state: 'full', arrive: store => unsavedEdits(store.getState).showEdits()}],
	'kept-edit': [
		{state: 'full', arrive: store => unsavedEdits(store.getState).showEdit(keptEdits[0]!)},
		{state: 'question', arrive: store => unsavedEdits(store.getState).showEdit(keptEdits[1]!)},
		{
			state: 'discarding',
			async arrive(store) {
				await unsavedEdits(store.getState).showEdit(keptEdits[0]!);
				const dialog = store.getState().dialogs.at(-1);
				if (dialog?.kind === 'kept-edit') route(store.getState).changeDialog({...dialog, isDiscarding: true});
			},
		},
	],
	difference: [
		{
			state: 'full',
			on: 'files',
			service: changing,
			async arrive(store) {
				await openFile(store, 'train.py');
				await fileSaving(store.getState)
					.proposeWrite(server, 'train.py', '')
					.then(() => route(store.getState).closeDialog());
				await fileSaving(store.getState).compareWithServer(server);
			},
		},
	],
} satisfies Parts;
