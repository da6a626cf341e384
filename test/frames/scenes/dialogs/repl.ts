import type {Clock} from '../../stopped-clock.ts';
import {LONG, packet, servers} from '../../data.ts';
import type {Variable} from '../../../../src/api/kernel-data/kernel-data.ts';
import {createEditor} from '../../../../src/text/editor/editor.ts';
import type {Store} from '../../../../src/tui/core/program.ts';
import type {ListedKernel} from '../../../../src/api/client-types.ts';
import {unaskedKernels} from '../../../support/unasked-link.ts';
import {linkedTo, runAll} from '../panes.ts';
import {lists} from '../support.ts';
import {server, askOnce, type Parts} from './part.ts';
import {replSession} from '../../../../src/tui/repl/session.ts';

const kernel = (fields: Partial<ListedKernel>): ListedKernel => ({
	id: 'one',
	name: 'python3',
	state: 'idle',
	lastActivity: null,
	connections: 1,
	memory: null,
	sessions: [],
	isOfSession: false,
	...fields,
});
const kernelsAt = (now: number): readonly ListedKernel[] => [
	kernel({
		isOfSession: true,
		memory: 412_345_678,
		lastActivity: now,
		sessions: [{type: 'console', path: 'svc-tui-python3'}],
	}),
	kernel({
		id: 'two',
		state: 'busy',
		memory: 12_345_678_901,
		lastActivity: now - 200_000,
		connections: 2,
		sessions: [{type: 'notebook', path: `data/${LONG}/prices.ipynb`}],
	}),
	kernel({id: 'three', name: 'ir', state: null, connections: 0, lastActivity: now - 9e7}),
	kernel({
		id: 'four',
		name: 'conda-env-with-a-long-name-py',
		state: 'dead',
		connections: null,
		sessions: [{type: 'console', path: 'scratch'}],
	}),
];
const VARIABLES: readonly Variable[] = [
	['prices', 'DataFrame', [20_640, 10], 1_651_328, 'longitude, latitude, median_income, ocean_proximity'],
	['weights', 'ndarray', [3, 224, 224], 602_240, 'float32'],
	['rows', 'list', [1200], 98_304, "[('Zürich', 4), ('東京', 7), …"],
	['model', 'Linear', [], null, '<Linear: ValueError>'],
	[LONG, 'str', [5], 54, "'\u001B[31m'"],
	['rate', 'float', [], 24, '0.25'],
].map(([name, type, shape, size, value]) => ({name, type, shape, size, value, mark: '1'}) as Variable);
const listed =
	(rows: readonly Variable[] | null, says: string | null = null) =>
	(store: Store): void =>
		store.setState({
			variableList: {
				server,
				document: {kind: 'repl', kernel: 'python3'},
				rows,
				total: rows?.length ?? 0,
				says,
				filter: createEditor(),
				cursor: null,
				at: 0,
			},
		});
const listing = (clock: Clock, kernels: readonly ListedKernel[]) => ({
	...lists(),
	...linkedTo(clock, {...unaskedKernels, list: async () => ({ok: true, value: kernels})}),
});

export const replDialogs = {
	history: [
		{state: 'empty', on: 'repl', open: {kind: 'history', server}},
		{state: 'full', on: 'repl', arrive: runAll, open: {kind: 'history', server}},
	],
	restart: [
		{
			state: 'idle',
			on: 'repl',
			arrive: runAll,
			open: {kind: 'restart', server, document: {kind: 'repl', kernel: 'python3'}, runsAll: false},
		},
		{
			state: 'busy',
			on: 'repl',
			arrive(store) {
				replSession(store.getState).runCell(server, 'while True: pass');
				replSession(store.getState).runCell(server, 'print(1)');
			},
			service: () => lists(),
			open: {kind: 'restart', server, document: {kind: 'repl', kernel: 'python3'}, runsAll: false},
		},
	],
	shutdown: [
		{state: 'idle', on: 'repl', arrive: runAll, open: {kind: 'shutdown', server}},
		{
			state: 'busy',
			on: 'repl',
			arrive(store) {
				replSession(store.getState).runCell(server, 'while True: pass');
				replSession(store.getState).runCell(server, 'print(1)');
			},
			service: () => lists({compute: {value: []}}),
			open: {kind: 'shutdown', server},
		},
		{
			state: 'attached',
			on: 'repl',
			service: () => lists({servers: {value: servers.map(each => ({...each, attached: true}))}}),
			open: {kind: 'shutdown', server},
		},
	],
	kernels: [
		{
			state: 'none',
			on: 'repl',
			service: clock => listing(clock, []),
			open: {kind: 'kernels', server, at: null},
		},
		{
			state: 'full',
			on: 'repl',
			service: clock => listing(clock, kernelsAt(clock.now())),
			open: {kind: 'kernels', server, at: 'two'},
		},
	],
	variables: [
		{state: 'none', on: 'repl', arrive: listed([]), open: {kind: 'variables'}},
		{
			state: 'loading',
			on: 'repl',
			arrive: listed(null, 'The kernel is running a cell: waiting for it to end'),
			open: {kind: 'variables'},
		},
		{
			state: 'failed',
			on: 'repl',
			arrive: listed(VARIABLES, 'The kernel has restarted or cannot be reached'),
			open: {kind: 'variables'},
		},
		{state: 'full', on: 'repl', arrive: listed(VARIABLES), open: {kind: 'variables'}},
	],
	'delete-variable': [
		{
			state: 'full',
			on: 'repl',
			arrive: listed(VARIABLES),
			open: {
				kind: 'delete-variable',
				server,
				document: {kind: 'repl', kernel: 'python3'},
				name: 'prices',
				mark: '1',
			},
		},
	],
	'variable-text': [
		{
			state: 'full',
			on: 'repl',
			arrive: listed(VARIABLES),
			open: {
				kind: 'variable-text',
				name: 'settings',
				type: 'Namespace',
				text: `Namespace(path='data/${LONG}', rate=0.25)\n\u001B[31m図表`,
				isPart: true,
			},
		},
	],
	'end-kernel': (['restart', 'shutDown'] as const).map(order => ({
		state: order,
		on: 'repl',
		arrive: runAll,
		open: {
			kind: 'end-kernel',
			server,
			order,
			kernel: kernel({state: 'busy', sessions: [{type: 'notebook', path: 'data/prices.ipynb'}]}),
		},
	})),
	places: [
		{
			state: 'full',
			on: 'repl',
			open: {
				kind: 'places',
				server,
				places: [
					{path: '/home/ada/train.py', line: 9},
					{path: 'data/weather.csv', line: null},
					{path: `models/${LONG}/図表.py`, line: 1204},
				],
			},
		},
	],
	export: [
		{state: 'empty', on: 'repl', open: {kind: 'export', server}},
		{
			state: 'full',
			on: 'repl',
			arrive: async store => (await runAll(store), askOnce(store)),
			open: {kind: 'export', server},
		},
	],
	explain: [{state: 'full', on: 'repl', arrive: runAll, open: {kind: 'explain', server, packet}}],
} satisfies Parts;
