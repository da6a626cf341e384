import {totalCost, type ServerCost} from '../../../../src/costs/daily-costs.ts';
import type {Costs} from '../../../../src/tui/servers/costs/costs.ts';
import {newAttach} from '../../../../src/tui/servers/attach.ts';
import {createEditor} from '../../../../src/text/editor/editor.ts';
import type {Dialog} from '../../../../src/tui/core/program.ts';
import {
	copyForm,
	movedTo,
	newForm,
	startForm,
	type CreateForm,
} from '../../../../src/tui/servers/create/form.ts';
import {LONG, servers} from '../../data.ts';
import {lists} from '../support.ts';
import {server, refusal, refused, type Parts} from './part.ts';

const named = (name: string) => servers.find(each => each.name === name)!;
const form = (changes: Partial<CreateForm> = {}): Dialog => ({
	kind: 'create',
	form: {...newForm({name: 'trainer-2'}), ...changes},
});
const review = form({...movedTo(newForm({name: 'trainer-2', compute: 'lambdalabs-A100_80Gx8'}), 'review')});
const HOUR = 3_600_000;
const cost: ServerCost = {
	server: 'trainer',
	ready: 3 * HOUR + 20 * 60_000,
	assumed: 0,
	assumedCost: 0,
	unpriced: 0,
	unclear: 0,
	isUnclear: false,
	unseen: 0,
	rates: [2.49],
	estimate: 8.3,
};
/**
 * Costs of today with these servers, of yesterday with one of them, and of days without
 * observations.
 */
const costsOf = (servers: readonly ServerCost[], count: number): Costs => {
	const days = Array.from({length: count}, (_, before) => {
		const of = before === 0 ? servers : before === 1 ? servers.slice(0, 1) : [];
		return {
			day: `2026-11-${22 - before}`,
			length: before === 0 ? 9.5 * HOUR : 24 * HOUR,
			looked: before < 3 ? 4 * HOUR : 0,
			servers: of,
			total: totalCost(of),
		};
	});
	return {days, total: totalCost(days.flatMap(day => day.servers))};
};

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
		{
			state: 'failed',
			open: form({...movedTo(newForm({name: 'trainer-2'}), 'review'), refusal, failure: refused}),
		},
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
					refusal: {
						words: '127.0.0.1:8888 rejected this token. A restarted server has a new one',
						failure: refused,
					},
				},
			},
		},
	],
	costs: [
		{state: 'loading', open: {kind: 'costs'}},
		{state: 'empty', arrive: store => store.setState({costs: costsOf([], 1)}), open: {kind: 'costs'}},
		{
			state: 'full',
			arrive: store =>
				store.setState({
					dailyLimit: 20,
					costs: costsOf(
						[
							cost,
							{...cost, server: LONG, unseen: 9 * HOUR, ready: 90_000, rates: [12, 14.5], estimate: 24.12},
							{...cost, server: 'welcome', rates: [], unpriced: cost.ready, estimate: 0},
							{...cost, server: 'crashed', ready: 0, rates: [], unseen: HOUR, estimate: 0},
						],
						7,
					),
				}),
			open: {kind: 'costs'},
		},
	],
	keep: [
		{
			state: 'of two',
			open: {
				kind: 'keep',
				names: [server, LONG],
				span: 1_800_000,
				stopCommand: 'svc-tui local stop',
				decide() {},
			},
		},
	],
	download: [
		{
			state: 'of data',
			open: {
				kind: 'download',
				contents: {
					environment_id: 'data',
					source: 'Pyodide 314.0.7, embedded in this program',
					python: '3.14.2',
					packages: ['numpy', 'pandas', 'matplotlib', 'scipy'].map(name => ({name, version: '2.4.6'})),
					size: 0,
					state: 'download',
					download: {from: 'cdn.jsdelivr.net', files: 4, bytes: 31_400_000, allowed: false},
					installs: null,
					own: false,
				},
				again() {},
			},
		},
	],
	price: [
		{state: 'more', open: {kind: 'price', server: LONG, quoted: 12, charged: 14.5}},
		{state: 'less', open: {kind: 'price', server, quoted: 12, charged: 11}},
	],
} satisfies Parts;
