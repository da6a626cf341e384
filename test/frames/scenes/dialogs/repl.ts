import type {Clock} from '../../stopped-clock.ts';
import {LONG, packet, servers} from '../../data.ts';
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
