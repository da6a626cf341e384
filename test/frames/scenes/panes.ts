import type {Client} from '../../../src/api/client-types.ts';
import {createEditor, insert} from '../../../src/text/editor/editor.ts';
import type {LiveKernels} from '../../../src/api/client-types.ts';
import {isPending} from '../../../src/tui/cells/cell.ts';
import {replOf} from '../../../src/tui/repl/transcript.ts';
import type {OpenNotebook} from '../../../src/tui/notebook/open-notebook.ts';
import {replField} from '../../../src/tui/repl/field.ts';
import type {State, Store} from '../../../src/tui/core/program.ts';
import {answer, ANSWER, broken, cells, folder, QUESTION} from '../data.ts';
import {
	neverShutDown,
	noShell,
	nothingLeft,
	plainCell,
	unaskedFiles,
	unaskedKernels,
	untold,
} from '../../support/unasked-link.ts';
import {reply, type Scene} from '../scene.ts';
import type {Clock} from '../stopped-clock.ts';
import {deps, failed, files, goTo, lists, SERVER, until} from './support.ts';
import {route} from '../../../src/tui/core/store/route.ts';
import {seenWork} from '../../../src/tui/core/store/unseen-results.ts';
import {chat} from '../../../src/tui/assistant/conversations.ts';
import {serverLinks} from '../../../src/tui/live/links.ts';
import {replSession} from '../../../src/tui/repl/session.ts';
import {fileListing} from '../../../src/tui/files/tree/listing.ts';
import {notebookOpening} from '../../../src/tui/notebook/open.ts';
import {notebookList} from '../../../src/tui/notebook/notebooks.ts';
import {codeHelp} from '../../../src/tui/cells/help/ask.ts';

/** Runs {@link cells}, and advances the clock by their durations. */
const running = (clock: Clock): Partial<Client> => ({
	runCode: async (_, {code}) => {
		const found = cells.find(({cell}) => cell.source === code);
		clock.pass(found?.took ?? 0);
		return reply(found ? {value: found.cell} : {failure: broken(`/servers/${SERVER}/run-code`, 'POST')});
	},
});
const answering = (clock: Clock): Partial<Client> => ({
	async chat() {
		clock.pass(2300);
		return reply({value: answer(ANSWER)});
	},
});
export const everything = (clock: Clock): Partial<Client> => ({
	...lists(),
	...files,
	...running(clock),
	...answering(clock),
});

/** A live link with these kernels. */
export const linkedTo = (clock: Clock, kernels: LiveKernels = unaskedKernels) =>
	({
		...files,
		live: async () => ({
			live: {
				files: unaskedFiles,
				shell: noShell,
				shutDown: neverShutDown,
				load: untold,
				goOn: nothingLeft,
				kernels,
				async run(code) {
					const found = cells.find(({cell}) => cell.source === code);
					clock.pass(found?.took ?? 0);
					return (
						(found && {ended: Promise.resolve({kind: 'done'}), now: () => found.cell, ...plainCell}) ?? null
					);
				},
				evaluate: async () => ({end: {kind: 'none'}, life: null}),
				complete: async () => ({
					from: 8,
					to: 9,
					words: [
						{text: 'describe', kind: 'function', signature: '(percentiles=None, include=None, exclude=None)'},
						{text: 'dropna', kind: 'function', signature: '(*, axis=0, how=None, thresh=None, subset=None)'},
						{text: 'dtypes', kind: 'property', signature: ''},
						{text: 'diff', kind: 'function', signature: '(periods=1, axis=0)'},
						{text: 'drop_duplicates_that_has_a_name_of_great_length', kind: 'function', signature: '()'},
						...Array.from({length: 36}, (_, index) => ({
							text: `day_${index + 1}`,
							kind: 'instance',
							signature: '',
						})),
					],
				}),
				inspect: async () =>
					`\u001B[31mSignature:\u001B[39m weather.describe(percentiles=None, include=None, exclude=None)\n\u001B[31mDocstring:\u001B[39m\nGenerate descriptive statistics.\n\n${Array.from({length: 20}, (_, index) => `Line ${index + 1} of what it says about them.`).join('\n')}`,
				close() {},
			},
		}),
	}) satisfies Partial<Client>;
const typeCode = async (store: Store, code: string): Promise<void> => {
	await serverLinks(store.getState).linkOf(SERVER);
	replSession(store.getState).changeRepl(SERVER, {draft: insert(createEditor(), code)});
};

const isIdle = (state: State): boolean => !state.repls.get(SERVER)?.cells.some(isPending);
const runCell = async (store: Store, source: string): Promise<void> => {
	replSession(store.getState).runCell(SERVER, source);
	await until(store, isIdle);
};
export const runAll = async (store: Store): Promise<void> => {
	for (const {cell} of cells) await runCell(store, cell.source);
};
export const openFile = async (store: Store, path: string): Promise<void> => {
	await fileListing(store.getState).goToPath(SERVER, path);
	route(store.getState).focusPart('files', 'viewer');
};
export const unfoldAll = async (store: Store): Promise<void> => {
	await fileListing(store.getState).loadFolder(SERVER, '');
	for (const path of ['data', 'models']) fileListing(store.getState).toggleFolder(SERVER, path);
};

const NOTEBOOK = JSON.stringify({
	cells: [
		{
			cell_type: 'markdown',
			id: 'a',
			metadata: {},
			source: '# Weather\n\nWhat **one year** of it looks like.',
		},
		{
			cell_type: 'code',
			execution_count: 3,
			id: 'b',
			metadata: {},
			outputs: [{output_type: 'stream', name: 'stdout', text: '365 days, 12 stations\n'}],
			source: 'weather = load("data/weather.csv")\nprint(len(weather), "days, 12 stations")',
		},
		{cell_type: 'code', execution_count: null, id: 'c', metadata: {}, outputs: [], source: 'weather.plot()'},
	],
	metadata: {kernelspec: {name: 'python3', display_name: 'Python 3'}},
	nbformat: 4,
	nbformat_minor: 5,
});
const serving =
	(content: string) =>
	(clock: Clock): Partial<Client> => ({
		...everything(clock),
		getFile: async (server, path, options) =>
			path === 'weather.ipynb'
				? reply({value: {name: path, path, type: 'file', format: 'text', content}})
				: (files.getFile?.(server, path, options) ?? reply('never')),
	});
export const withNotebook = serving(NOTEBOOK);

const code = (id: string, count: number, source: string, outputs: readonly object[]) => ({
	cell_type: 'code',
	execution_count: count,
	id,
	metadata: {},
	outputs,
	source,
});
/** Printed text, a value and an error, each below its code. */
const OUTPUTS = JSON.stringify({
	cells: [
		{cell_type: 'markdown', id: 'a', metadata: {}, source: 'Reads `data/weather.csv`.'},
		code('b', 1, 'print("365 days")', [{output_type: 'stream', name: 'stdout', text: '365 days\n'}]),
		code('c', 12, 'len(weather)', [
			{output_type: 'execute_result', execution_count: 12, metadata: {}, data: {'text/plain': '365'}},
		]),
		code('d', 1234, 'weather["rain"]', [
			{
				output_type: 'error',
				ename: 'KeyError',
				evalue: "'rain'",
				traceback: ['Traceback (most recent call last):', '  File "<cell 3>", line 1', "KeyError: 'rain'"],
			},
		]),
	],
	metadata: {kernelspec: {name: 'python3', display_name: 'Python 3'}},
	nbformat: 4,
	nbformat_minor: 5,
});
/** Opens the notebook for editing and selects another cell. */
export const workInNotebook = async (store: Store, change: Partial<OpenNotebook> = {}): Promise<void> => {
	await openFile(store, 'weather.ipynb');
	await notebookOpening(store.getState).workInNotebook(SERVER);
	const file = {server: SERVER, path: 'weather.ipynb'};
	notebookList(store.getState).changeNotebook(file, ({notebook}) => ({
		at: notebook.cells[1]?.key ?? -1,
		...change,
	}));
};

type Part = Pick<Scene, 'state'> & Partial<Pick<Scene, 'service' | 'arrive' | 'until'>>;
const sceneOn =
	(screen: 'files' | 'repl' | 'assistant') =>
	({state, service = everything, arrive = () => {}, ...rest}: Part): Scene => ({
		screen,
		state,
		deps,
		service,
		async arrive(store, clock) {
			await goTo(screen)(store);
			await arrive(store, clock);
		},
		...rest,
	});
const noFiles: Partial<Client> = {getFile: async () => reply({value: folder('')})};

const filesScenes = (
	[
		{state: 'empty', service: () => ({...lists(), ...noFiles})},
		{state: 'loading', service: () => lists()},
		{
			state: 'failed',
			service: () => ({...lists(), getFile: async () => reply(failed(broken(`/servers/${SERVER}/files/`)))}),
		},
		{state: 'full', arrive: unfoldAll},
		{
			state: 'no-listing',
			service: () => ({
				...lists(),
				getFile: async () => reply(failed({...broken(`/servers/${SERVER}/files/`), status: 500})),
			}),
		},
		{state: 'code', arrive: store => openFile(store, 'train.py')},
		{state: 'table', arrive: store => openFile(store, 'data/weather.csv')},
		{state: 'markdown', arrive: store => openFile(store, 'notes.md')},
		{state: 'notebook', service: withNotebook, arrive: store => workInNotebook(store)},
		{state: 'notebook-outputs', service: serving(OUTPUTS), arrive: store => workInNotebook(store)},
		{
			state: 'notebook-marked',
			service: withNotebook,
			async arrive(store) {
				await workInNotebook(store);
				const file = {server: SERVER, path: 'weather.ipynb'};
				notebookList(store.getState).changeNotebook(file, ({notebook: {cells}}) => ({
					marks: {from: cells[0]?.key ?? -1, to: cells[1]?.key ?? -1},
				}));
			},
		},
		{
			state: 'notebook-typing',
			service: withNotebook,
			arrive: store =>
				workInNotebook(store, {editing: createEditor('weather = load("data/weather.csv")\nweather.head(')}),
		},
		{state: 'missing-file', arrive: store => openFile(store, 'data/wether.csv')},
		{state: 'offline', arrive: store => route(store.getState).chooseServer('crashed', 'files')},
	] satisfies readonly Part[]
).map(sceneOn('files'));

/** A cell that reads a line of input over the live link. */
const asking = (prompt: string, isSecret: boolean): Part => {
	const question = {prompt, isSecret};
	return {
		state: isSecret ? 'asking-secret' : 'asking',
		service: clock => ({
			...everything(clock),
			live: async () => ({
				live: {
					files: unaskedFiles,
					shell: noShell,
					shutDown: neverShutDown,
					load: untold,
					goOn: nothingLeft,
					kernels: unaskedKernels,
					async run(source, _, onChange) {
						setImmediate(onChange);
						return {
							ended: new Promise(() => {}),
							now: () => ({
								cell_type: 'code',
								execution_count: 1,
								metadata: {},
								source,
								outputs: [{output_type: 'stream', name: 'stdout', text: prompt}],
							}),
							came: () => prompt.length,
							drawn: () => prompt.length,
							interrupt: () => {},
							life: () => null,
							others: () => 0,
							asks: () => question,
							answer: () => {},
						};
					},
					evaluate: async () => ({end: {kind: 'none'}, life: null}),
					complete: async () => null,
					inspect: async () => null,
					close: () => {},
				},
			}),
		}),
		async arrive(store, clock) {
			seenWork(store.getState).showPane(SERVER, 'repl');
			replSession(store.getState).runCell(
				SERVER,
				isSecret ? 'getpass("Token: ")' : 'input("How many epochs? ")',
			);
			await until(store, state => replOf(state, SERVER).asks !== null);
			const {asks} = replOf(store.getState(), SERVER);
			if (asks) replSession(store.getState).changeRepl(SERVER, {asks: {...asks, field: createEditor('40')}});
			clock.pass(12_000);
		},
	};
};

/** A first cell that is being sent to the service, by clock. */
const sending = new WeakMap<Clock, Promise<void>>();

const replScenes = (
	[
		asking('How many epochs? ', false),
		asking('Token: ', true),
		{state: 'empty', service: () => ({...lists(), ...noFiles})},
		{
			state: 'loading',
			service(clock) {
				const sent = Promise.withResolvers<void>();
				sending.set(clock, sent.promise);
				const runCode = async (): Promise<never> => (sent.resolve(), new Promise(() => {}));
				return {...lists(), ...files, runCode};
			},
			async arrive(store, clock) {
				replSession(store.getState).runCell(SERVER, 'import time\ntime.sleep(90)');
				replSession(store.getState).runCell(SERVER, 'print("next")');
				await sending.get(clock);
				clock.pass(65_000);
			},
		},
		{state: 'failed', arrive: store => runCell(store, 'print("hello")')},
		{state: 'full', arrive: runAll},
		{
			state: 'cells',
			async arrive(store) {
				await runAll(store);
				route(store.getState).focusPart('repl', 'cells');
			},
		},
		{
			state: 'completions',
			service: clock => ({...everything(clock), ...linkedTo(clock)}),
			async arrive(store) {
				await runAll(store);
				await typeCode(store, 'weather.d');
				codeHelp(store.getState).completeCode(replField(SERVER));
				await until(store, state => state.completions !== null);
				codeHelp(store.getState).moveInCompletions(1);
				codeHelp(store.getState).moveInCompletions(1);
			},
		},
		{
			state: 'documentation',
			service: clock => ({...everything(clock), ...linkedTo(clock)}),
			async arrive(store) {
				await runAll(store);
				await typeCode(store, 'weather.describe(');
				codeHelp(store.getState).inspectCode(replField(SERVER), {
					code: 'weather.describe(',
					cursor: 17,
					detail: 0,
					isAsked: true,
				});
				await until(store, state => state.documentation !== null);
			},
		},
		{state: 'other-state', arrive: store => route(store.getState).chooseServer('🚀 rocket', 'repl')},
		{
			state: 'starting',
			arrive(store) {
				store.setState({awaited: new Map([['🚀 rocket', {since: 0, seen: []}]])});
				route(store.getState).chooseServer('🚀 rocket', 'repl');
			},
		},
		{
			state: 'offline',
			async arrive(store) {
				await runAll(store);
				const {cells} = replOf(store.getState(), SERVER);
				route(store.getState).chooseServer('crashed', 'repl');
				replSession(store.getState).putBackCells('crashed', {history: [], cells, kernel: null, rest: null});
			},
		},
	] satisfies readonly Part[]
).map(sceneOn('repl'));

const askOnce = async (store: Store): Promise<void> => chat(store.getState).ask(SERVER, QUESTION);
const assistantScenes = (
	[
		{state: 'empty', service: () => ({...lists(), ...noFiles})},
		{state: 'loading', service: () => ({...lists(), ...files}), arrive: store => void askOnce(store)},
		{
			state: 'streaming',
			service: () => ({
				...lists(),
				...files,
				async chat(_, __, ___, options) {
					options?.onText?.(ANSWER.slice(0, 140));
					return reply('never');
				},
			}),
			arrive: store => void askOnce(store),
			until: state => state.conversations.get(SERVER)?.turns.at(-1)?.answer !== '',
		},
		{
			state: 'thinking',
			service: () => ({
				...lists(),
				...files,
				async chat(_, __, ___, options) {
					options?.onThought?.('The file has commas, so that read_csv needs no separator.\n\nTell of dtype.');
					return reply('never');
				},
			}),
			arrive: store => {
				void askOnce(store);
				chat(store.getState).changeConversation(SERVER, {showsThinking: true});
			},
			until: state => state.conversations.get(SERVER)?.turns.at(-1)?.reasoning !== '',
		},
		{
			state: 'failed',
			service: () => ({
				...lists(),
				...files,
				chat: async () => reply(failed(broken(`/assistant/${SERVER}/model_2`, 'POST'))),
			}),
			arrive: askOnce,
		},
		{
			state: 'full',
			async arrive(store) {
				await askOnce(store);
				await chat(store.getState).ask(SERVER, 'and in polars?', {model: 'model_1'});
				route(store.getState).focusPart('assistant', 'turns');
			},
		},
	] satisfies readonly Part[]
).map(sceneOn('assistant'));

const workspace: readonly Scene[] = (['repl', 'assistant', 'files'] as const).map(screen => ({
	...sceneOn(screen)({
		state: `full-${screen}`,
		async arrive(store) {
			await unfoldAll(store);
			await openFile(store, 'train.py');
			await runAll(store);
			await askOnce(store);
			if (screen === 'files') route(store.getState).focusPart('files', 'tree');
		},
	}),
	screen: 'panes',
}));

export const paneScenes: readonly Scene[] = [
	...filesScenes,
	...replScenes,
	...assistantScenes,
	...workspace,
	{
		...sceneOn('repl')({
			state: 'zoomed',
			async arrive(store) {
				await runAll(store);
				route(store.getState).toggleZoom();
			},
		}),
		screen: 'panes',
	},
];
