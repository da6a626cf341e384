import {broken, LONG} from '../../data.ts';
import {createEditor} from '../../../../src/text/editor/editor.ts';
import {refusal, type Part, type Parts} from './part.ts';
import {notices} from '../../../../src/tui/core/store/notices.ts';
import {requestLog} from '../../../../src/tui/core/store/requests.ts';

export const coreDialogs = {
	palette: [
		{state: 'servers', open: {kind: 'palette'}},
		{state: 'repl', on: 'repl', open: {kind: 'palette'}},
		{state: 'words', on: 'files', open: {kind: 'palette', words: 'train'}},
		{state: 'offers', on: 'compute', open: {kind: 'palette', words: 'h100'}},
		{state: 'files', on: 'files', open: {kind: 'palette', words: '@train'}},
		{state: 'text', on: 'files', open: {kind: 'palette', words: '#load'}},
		{state: 'nothing', open: {kind: 'palette', words: '&zzzz'}},
	],
	help: [
		...(['servers', 'compute', 'environments', 'files', 'repl', 'assistant'] as const).map((on): Part => ({
			state: on,
			on,
			open: {kind: 'help'},
		})),
		{state: 'found', open: {kind: 'help', choosing: {editor: createEditor('copy'), at: 0, id: null}}},
		{state: 'whole', open: {kind: 'help', isWhole: true}},
	],
	messages: [
		{state: 'empty', open: {kind: 'messages'}},
		{
			state: 'full',
			arrive(store, clock) {
				notices(store.getState).notify('info', `${LONG} is starting, 1031.44/h`);
				clock.pass(61_000);
				notices(store.getState).notify('good', 'notes.md is saved, 88 bytes');
				notices(store.getState).notify('bad', refusal);
			},
			open: {kind: 'messages'},
		},
	],
	theme: [{state: 'open', open: {kind: 'theme'}}],
	requests: [
		{state: 'empty', open: {kind: 'requests'}},
		{
			state: 'full',
			arrive(store, clock) {
				const call = (method: string, path: string) =>
					requestLog(store.getState).watchCall({method, path, cancel() {}});
				const first = call('GET', '/api/servers');
				clock.pass(84);
				first({status: 200});
				const second = call('PUT', `/api/servers/${LONG}/files/a/long/path/to/a-file-with-a-long-name.ipynb`);
				clock.pass(12_400);
				second({status: 503, problem: 'server', failure: broken('/servers')});
				const third = call('GET', '/api/compute');
				third({problem: 'unreachable'});
				const running = requestLog(store.getState).watchCall({
					method: 'POST',
					path: '/api/servers/trainer/run-code',
					cancel: () => running({problem: 'cancelled'}),
				});
			},
			until: state => state.requests.length > 0,
			open: {kind: 'requests'},
		},
	],
	evidence: [
		{state: 'answer', open: {kind: 'evidence', failure: broken('/api/servers')}},
		{
			state: 'no-answer',
			open: {
				kind: 'evidence',
				failure: {
					kind: 'timeout',
					method: 'POST',
					path: '/api/servers',
					message: 'nb.example did not respond within 30 s',
					ambiguous: true,
				},
			},
		},
		{
			state: 'long',
			open: {
				kind: 'evidence',
				failure: {
					...broken('/api/servers'),
					body: Array.from(
						{length: 60},
						(_, line) => `<p>line ${line + 1} of a page that a proxy sent — 代理</p>`,
					).join('\n'),
				},
			},
		},
	],
	'command-line': [
		{state: 'empty', open: {kind: 'command-line'}},
		{state: 'typed', on: 'repl', open: {kind: 'command-line', line: 'ex'}},
		{state: 'none', open: {kind: 'command-line', line: 'frobnicate'}},
	],
} satisfies Parts;
