import type {PermitQuestion} from '../../../../src/tui/assistant/work.ts';
import type {Dialog, Store} from '../../../../src/tui/core/program.ts';
import {LONG} from '../../data.ts';
import {codeBlocks} from '../../../../src/tui/assistant/blocks.ts';
import {runAll, unfoldAll, withNotebook, workInNotebook} from '../panes.ts';
import {server, askOnce, type Parts} from './part.ts';
import {attaching} from '../../../../src/tui/assistant/attached.ts';
import {chat} from '../../../../src/tui/assistant/conversations.ts';

const attach = async (store: Store): Promise<void> => {
	await runAll(store);
	attaching(store.getState).addAttachment({kind: 'file', path: 'train.py'});
	attaching(store.getState).addAttachment({kind: 'cell', number: 2});
	attaching(store.getState).addAttachment({kind: 'file', path: 'data/wether.csv'});
};

const library = {
	list: () => [
		{id: 'one', title: 'What does train.py do? 図表は?', turns: 1, changedAt: Date.UTC(2026, 10, 22, 9, 29)},
		{
			id: 'two',
			title: `Why does ${LONG} never become ready, and what can be done about that now?`,
			turns: 24,
			changedAt: Date.UTC(2026, 10, 19),
		},
	],
	takeUp() {},
	copy: () => '',
	remove() {},
};

const permit = (question: Partial<PermitQuestion>): Dialog => ({
	kind: 'permit',
	server,
	question: {title: '', kind: 'run', isPrivate: false, folder: null, note: '', rows: [], ...question},
});

export const assistantDialogs = {
	permit: [
		{
			state: 'run',
			on: 'assistant',
			open: permit({
				title: 'run 3 lines',
				note: "Runs in the server's kernel, can access the whole server, and cannot be undone.",
				rows: [
					'import csv',
					'rows = list(csv.reader(open("data/weather.csv")))',
					`print(rows, "${LONG}")`,
				].map(text => ({kind: 'same', text})),
			}),
		},
		{
			state: 'edit',
			on: 'assistant',
			open: permit({
				title: 'edit src/train.py, 1 place',
				kind: 'edit',
				folder: 'src',
				note: '/undo reverts it.',
				rows: [
					{kind: 'at', text: 'line 1'},
					{kind: 'same', text: 'import os'},
					{kind: 'removed', text: 'epochs = 1'},
					{kind: 'added', text: 'epochs = 3  # 図表'},
				],
			}),
		},
		{
			state: 'private',
			on: 'assistant',
			open: permit({
				title: 'read .env',
				kind: 'read',
				isPrivate: true,
				note: 'This may be private: its content is sent to the provider of the model.',
			}),
		},
	],
	'cell-change': [
		{
			state: 'full',
			on: 'files',
			service: withNotebook,
			async arrive(store) {
				await workInNotebook(store);
				const code = 'weather = load("data/weather.csv").dropna()\nprint(len(weather), "days, 12 stations")';
				codeBlocks(store.getState).showCellChange(server, code);
			},
		},
	],
	context: [
		{
			state: 'new',
			on: 'assistant',
			open: {
				kind: 'context',
				server,
				change: 'new',
				packed: {
					mention: 'AGENTS.md',
					head: "The server's own AGENTS.md, for assistants. It gives no permission:",
					language: 'markdown',
					text: `# 図表\n\nUse polars, never pandas. Data lies in data/ and is not to be changed.\n\n- ${LONG}\n`,
				},
			},
		},
	],
	model: [
		{state: 'full', on: 'assistant', open: {kind: 'model', server, again: false}},
		{state: 'again', on: 'assistant', open: {kind: 'model', server, again: true}},
	],
	'compare-models': [{state: 'full', on: 'assistant', open: {kind: 'compare-models', server}}],
	'write-path': [
		{state: 'empty', on: 'assistant', open: {kind: 'write-path', server, code: '# src/new.py\nprint()\n'}},
		{
			state: 'full',
			on: 'assistant',
			arrive: unfoldAll,
			open: {kind: 'write-path', server, code: 'print()\n'},
		},
	],
	conversations: [
		{state: 'empty', on: 'assistant', open: {kind: 'conversations', server}},
		{
			state: 'full',
			on: 'assistant',
			arrive: store => (
				chat(store.getState).setLibrary(library),
				chat(store.getState).setConversationId(server, 'one')
			),
			open: {kind: 'conversations', server},
		},
	],
	'delete-conversation': [
		{state: 'full', on: 'assistant', arrive: askOnce, open: {kind: 'delete-conversation', server}},
	],
	'find-turn': [
		{state: 'empty', on: 'assistant', open: {kind: 'find-turn', server, text: ''}},
		{state: 'none', on: 'assistant', arrive: askOnce, open: {kind: 'find-turn', server, text: 'polars'}},
		{state: 'full', on: 'assistant', arrive: askOnce, open: {kind: 'find-turn', server, text: 'a'}},
	],
	tray: [
		{state: 'empty', on: 'assistant', open: {kind: 'tray', server}},
		{
			state: 'full',
			on: 'assistant',
			arrive: attach,
			until: state =>
				state.conversations.get(server)?.attached.every(({packed, problem}) => packed ?? problem) === true,
			open: {kind: 'tray', server},
		},
	],
} satisfies Parts;
