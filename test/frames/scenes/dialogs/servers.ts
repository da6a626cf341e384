import {newAttach} from '../../../../src/tui/servers/attach-slice.ts';
import {createEditor} from '../../../../src/text/editor/editor.ts';
import type {Dialog} from '../../../../src/tui/core/program.ts';
import {
	copyForm,
	movedTo,
	newForm,
	startForm,
	type CreateForm,
} from '../../../../src/tui/servers/create-form.ts';
import {LONG, servers} from '../../data.ts';
import {lists} from '../support.ts';
import {server, refusal, type Parts} from './part.ts';

const named = (name: string) => servers.find(each => each.name === name)!;
const form = (changes: Partial<CreateForm> = {}): Dialog => ({
	kind: 'create',
	form: {...newForm({name: 'trainer-2'}), ...changes},
});
const review = form({...movedTo(newForm({name: 'trainer-2', compute: 'lambdalabs-A100_80Gx8'}), 'review')});
export const serversDialogs = {
	create: [
		{state: 'empty', open: {kind: 'create', form: newForm()}},
		{
			state: 'wrong',
			open: form({
				...movedTo({...newForm({name: 'trainer', port: '70000'}), at: 'port'}, 'name'),
				seen: new Set(['name', 'port']),
			}),
		},
		{
			state: 'loading',
			service: () => lists({compute: 'never', environments: 'never'}),
			open: form(movedTo(newForm({name: 'a'}), 'compute')),
		},
		{state: 'environments', open: form(movedTo(newForm({name: 'trainer-2'}), 'environment'))},
		{state: 'compute', open: form(movedTo(newForm({name: LONG}), 'compute'))},
		{state: 'copy', open: {kind: 'create', form: copyForm(named('trainer'), servers)}},
		{state: 'review', open: review},
		{state: 'sending', open: form({...movedTo(newForm({name: 'trainer-2'}), 'review'), sending: 'asking'})},
		{state: 'failed', open: form({...movedTo(newForm({name: 'trainer-2'}), 'review'), refusal})},
		{state: 'start', open: {kind: 'create', form: startForm(named('welcome'))}},
	],
	server: [
		{state: 'full', open: {kind: 'server', server}},
		{state: 'offline', open: {kind: 'server', server: 'crashed'}},
		{state: 'long', open: {kind: 'server', server: LONG}},
		{state: 'gone', open: {kind: 'server', server: 'gone'}},
	],
	addresses: [
		{state: 'full', open: {kind: 'addresses', server, at: 'url'}},
		{state: 'empty', open: {kind: 'addresses', server: 'crashed', at: 'editor'}},
		{state: 'pending', open: {kind: 'addresses', server: LONG, at: 'forward'}},
	],
	attach: [
		{state: 'empty', open: {kind: 'attach', form: newAttach('node17')}},
		{
			state: 'refused',
			open: {
				kind: 'attach',
				form: {
					...newAttach(''),
					address: createEditor('http://127.0.0.1:8888/lab?token=secret'),
					refusal: '127.0.0.1:8888 does not take this token: a restarted server has a new one',
				},
			},
		},
	],
	keep: [{state: 'of two', open: {kind: 'keep', names: [server, LONG], span: 1_800_000, decide() {}}}],
	price: [
		{state: 'more', open: {kind: 'price', server: LONG, quoted: 12, charged: 14.5}},
		{state: 'less', open: {kind: 'price', server, quoted: 12, charged: 11}},
	],
} satisfies Parts;
