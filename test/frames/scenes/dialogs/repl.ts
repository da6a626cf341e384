import {LONG, packet} from '../../data.ts';
import {runAll} from '../panes.ts';
import {lists} from '../support.ts';
import {server, askOnce, type Parts} from './part.ts';

export const replDialogs = {
	history: [
		{state: 'empty', on: 'repl', open: {kind: 'history', server}},
		{state: 'full', on: 'repl', arrive: runAll, open: {kind: 'history', server}},
	],
	restart: [
		{state: 'idle', on: 'repl', arrive: runAll, open: {kind: 'restart', server}},
		{
			state: 'busy',
			on: 'repl',
			arrive(store) {
				store.getState().runCell(server, 'while True: pass');
				store.getState().runCell(server, 'print(1)');
			},
			service: () => lists(),
			open: {kind: 'restart', server},
		},
	],
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
