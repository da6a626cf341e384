import {PNG} from 'pngjs';
import {expect, test} from 'vitest';
import type {Placing} from '../../../src/tui/pictures/placed-slice.ts';
import {storeOn} from '../../support/store-on.ts';
import {waitFor} from '../../support/wait-for.ts';

const png = PNG.sync.write(new PNG({width: 3, height: 2, fill: true}));
const cell = {width: 10, height: 20};

test('more pictures in view than the terminal holds are sent once, and what had to make room comes again with the next view', async () => {
	const held: (() => void)[] = [];
	let sent = 0;
	const store = storeOn('http://127.0.0.1:1', {
		// A terminal that holds two: the oldest makes room.
		async placePicture(_, __, gone) {
			if (held.length === 2) held.shift()?.();
			held.push(gone);
			return ++sent;
		},
	});
	store.setState({pictureLook: {how: 'kitty', cell, colours: Infinity, isInText: true, why: ''}});
	const asked: object[] = [];
	const placings = Array.from({length: 3}, (): Placing => {
		const key = {};
		const bytes = () => {
			asked.push(key);
			return png;
		};
		return {key, size: '3x2', bytes, most: {width: 40, height: 10}};
	});
	const {placeInView} = store.getState();
	const lacking = () => placings.filter(({key}) => !store.getState().placed.has(key)).map(({key}) => key);
	placeInView('repl', placings);
	await waitFor(() => expect([sent, lacking().length]).toEqual([3, 1]));
	const displaced = lacking();
	asked.length = 0;
	placeInView('repl', placings);
	expect(asked).toEqual([]);
	placeInView('repl', []);
	placeInView('repl', placings);
	expect(asked).toEqual(displaced);
});
