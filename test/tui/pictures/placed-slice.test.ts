import {randomBytes} from 'node:crypto';
import {PNG} from 'pngjs';
import {expect, test} from 'vitest';
import {type Placing, placedPictures} from '../../../src/tui/pictures/placed.ts';
import {storeOn} from '../../support/store-on.ts';
import {waitFor} from '../../support/wait-for.ts';

const png = PNG.sync.write(new PNG({width: 3, height: 2, fill: true}));
const look = {
	how: 'kitty',
	cell: {width: 10, height: 20},
	colours: Infinity,
	isInText: true,
	why: '',
} as const;

test('more pictures in view than the terminal holds are sent once, and what had to make room comes again with the next view', async () => {
	const held: (() => void)[] = [];
	let sent = 0;
	const store = storeOn('http://127.0.0.1:1', {
		// A terminal that stores two pictures; a third one replaces the oldest.
		async placePicture(_, __, gone) {
			if (held.length === 2) held.shift()?.();
			held.push(gone);
			return ++sent;
		},
	});
	store.setState({pictureLook: look});
	const asked: object[] = [];
	const placings = Array.from({length: 3}, (): Placing => {
		const key = {};
		const bytes = () => {
			asked.push(key);
			return png;
		};
		return {key, size: '3x2', bytes, most: {width: 40, height: 10}};
	});
	const lacking = () => placings.filter(({key}) => !store.getState().placed.has(key)).map(({key}) => key);
	placedPictures(store.getState).placeInView('repl', placings);
	await waitFor(() => expect([sent, lacking().length]).toEqual([3, 1]));
	const displaced = lacking();
	asked.length = 0;
	placedPictures(store.getState).placeInView('repl', placings);
	expect(asked).toEqual([]);
	placedPictures(store.getState).placeInView('repl', []);
	placedPictures(store.getState).placeInView('repl', placings);
	expect(asked).toEqual(displaced);
});

test('in full screen a photo of any size is sent, and the reason for a missing picture is shown', async () => {
	const sent: number[] = [];
	const store = storeOn('http://127.0.0.1:1', {placePicture: async base64 => sent.push(base64.length)});
	store.setState({pictureLook: look});
	const photo = new PNG({width: 800, height: 800});
	photo.data = randomBytes(800 * 800 * 4).map((each, at) => (at % 4 === 3 ? 255 : each)) as Buffer;
	const told: string[] = [];
	const place = (bytes: Uint8Array): void =>
		placedPictures(store.getState).placePicture({
			key: bytes,
			size: '800x800',
			bytes: () => bytes,
			most: {width: 80, height: 40},
			whenNot: why => told.push(why),
		});
	place(PNG.sync.write(photo));
	await waitFor(() => expect(sent).toHaveLength(1));
	expect(sent[0]).toBeGreaterThan(2_000_000);
	expect(told).toEqual([]);
	place(Buffer.from('GIF89a'));
	await waitFor(() => expect(told).toEqual(['only PNG, JPEG and SVG pictures can be drawn']));
});
