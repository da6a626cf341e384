// A notice above the footer disappears when it no longer applies.
import {expect, test} from 'vitest';
import {createStore} from '../../../src/tui/create-store.ts';
import {createDispatcher} from '../../../src/tui/core/keys/dispatch.ts';
import type {State} from '../../../src/tui/core/program.ts';
import {keysOf} from '../../support/press-action.ts';
import {ready, server} from '../../support/factories.ts';
import {notices} from '../../../src/tui/core/store/notices.ts';
import {route} from '../../../src/tui/core/store/route.ts';

const SIZE = {columns: 100, rows: 30};
const open = (...servers: readonly ReturnType<typeof server>[]) => {
	const store = createStore({
		client: () => new Promise(() => {}),
		copy: async () => ({isInClipboard: false, isInTmux: false, isAsked: true}),
		show: async () => false,
		open: async () => false,
		edit: () => Promise.reject(new Error('no editor')),
		now: Date.now,
	});
	store.setState({connection: {status: 'ready'}, servers: ready(servers), current: servers[0]?.name ?? null});
	const dispatcher = createDispatcher(store, {size: () => SIZE, press() {}});
	return {
		store,
		press: (scope: 'servers' | 'global', action: string) =>
			dispatcher.input(keysOf(scope as never, action as never)[0] ?? '', {} as never),
		said: () => store.getState().notice?.text,
	};
};
const two = [server({name: 'lab', status: 'ready'}), server({name: 'idle', status: 'offline'})] as const;

test.each([
	['another screen', ({app}: State) => route(app).go('compute')],
	['another server', ({app}: State) => route(app).chooseServer('idle')],
	['a dialog', ({app}: State) => route(app).openDialog({kind: 'help'})],
])('why a key cannot act ends with its place: %s', (_, leave) => {
	const {store, press, said} = open(...two);
	press('servers', 'start');
	expect(said()).toMatch(/^lab is ready: there is nothing to start/);
	leave(store.getState());
	expect(said()).toBeUndefined();
	expect(store.getState().notices).toHaveLength(1);
});

test('why a key cannot act ends when the server it speaks of changes its state, and with the next key that acts', () => {
	const {store, press, said} = open(...two);
	press('servers', 'start');
	store.setState({servers: ready([server({name: 'lab', status: 'ready'}), two[1]])});
	expect(said()).toMatch(/^lab is ready/);
	store.setState({servers: ready([server({name: 'lab', status: 'offline'}), two[1]])});
	expect(said()).toBeUndefined();
	store.setState({servers: ready([...two])});
	press('servers', 'start');
	expect(said()).toMatch(/^lab is ready/);
	press('servers', 'filter');
	expect(said()).toBeUndefined();
});

test('a notice about a server disappears once it is no longer true; completed actions stay through a change of screens', () => {
	const {store, said} = open(...two);
	notices(store.getState).notify(
		'good',
		'lab is ready after 5 s',
		state =>
			state.servers.value?.items.some(({name, status}) => name === 'lab' && status === 'ready') === true,
	);
	route(store.getState).go('compute');
	expect(said()).toBe('lab is ready after 5 s');
	store.setState({servers: ready([server({name: 'lab', status: 'offline'})])});
	expect(said()).toBeUndefined();
	notices(store.getState).notify('good', 'notes.md is saved');
	route(store.getState).go('servers');
	store.setState({servers: ready([])});
	expect(said()).toBe('notes.md is saved');
});
