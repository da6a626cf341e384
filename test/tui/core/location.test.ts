import {expect, test} from 'vitest';
import {locationOf, restoreLocation} from '../../../src/tui/core/store/location.ts';
import {route} from '../../../src/tui/core/store/route.ts';
import {createStore} from '../../../src/tui/create-store.ts';

const newStore = () =>
	createStore({
		client: () => new Promise(() => {}),
		copy: async () => ({isInClipboard: false, isInTmux: false, isAsked: true}),
		show: async () => false,
		open: async () => false,
		edit: () => Promise.reject(new Error('no editor')),
		now: Date.now,
	});

test('the place of panes and dividers is the same after a restart', () => {
	const [before, after] = [newStore(), newStore()];
	const {go, focus, setCompanion, setDividers, toggleTree} = route(before.getState);
	go('repl');
	focus('assistant');
	setCompanion('files', 'closed');
	setDividers('wide', {rail: 30, main: 96});
	toggleTree();
	restoreLocation(after, JSON.parse(JSON.stringify(locationOf(before.getState()))));
	expect(after.getState()).toMatchObject({
		screen: 'assistant',
		main: 'repl',
		lastCompanion: 'assistant',
		companions: {assistant: 'open', files: 'closed'},
		dividers: {wide: {rail: 30, main: 96}},
		isTreeHidden: true,
	});
});

test('a location of an earlier program is read: its hidden panes are closed, its widths end', () => {
	const store = newStore();
	restoreLocation(store, {
		screen: 'repl',
		server: 'trainer',
		docked: {files: true, repl: true, assistant: false},
		partner: 'repl',
		zoomed: false,
		paneWidths: {files: 45, repl: 47},
	});
	expect(store.getState()).toMatchObject({
		screen: 'repl',
		main: 'repl',
		current: 'trainer',
		companions: {assistant: 'closed'},
		dividers: {},
	});
});

test('dividers that are no widths are not used', () => {
	const store = newStore();
	restoreLocation(store, {dividers: {wide: {main: -4, rail: 'x'}, other: {main: 90}, rail: {rail: 25}}});
	expect(store.getState().dividers).toEqual({rail: {rail: 25}});
});
