import {PNG} from 'pngjs';
import type {Store} from '../../../../src/tui/core/program.ts';
import {until} from '../support.ts';
import type {Parts} from './part.ts';
import {pictureViewer} from '../../../../src/tui/pictures/pictures.ts';
import {route} from '../../../../src/tui/core/store/route.ts';

/** A diagonal from dark to light. */
const gradient = (): Buffer => {
	const png = new PNG({width: 96, height: 48});
	for (let at = 0; at < 96 * 48; at++)
		png.data.set([(at % 96) * 2, Math.floor(at / 96) * 5, 120, 255], at * 4);
	return PNG.sync.write(png);
};

const open =
	(bytes: Buffer) =>
	async (store: Store): Promise<void> => {
		store.setState({pictureLook: {how: 'blocks', why: 'GNU screen blocks pictures'}});
		pictureViewer(store.getState).openPicture({name: 'plots/loss.png', bytes});
		await until(store, ({pictureView}) => pictureView?.picture !== null);
	};

export const pictureDialogs = {
	picture: [
		{
			state: 'loading',
			on: 'files',
			arrive(store) {
				pictureViewer(store.getState).openPicture({name: 'plots/loss.png', bytes: gradient()});
			},
		},
		{state: 'failed', on: 'files', arrive: open(Buffer.from('GIF89a'))},
		{state: 'full', on: 'repl', arrive: open(gradient())},
		{
			state: 'enlarged',
			on: 'repl',
			async arrive(store) {
				await open(gradient())(store);
				pictureViewer(store.getState).zoomPicture({scale: 1.2, x: 0.5, y: 0.5});
			},
		},
	],
	'save-picture': [
		{
			state: 'full',
			on: 'repl',
			arrive(store) {
				route(store.getState).openDialog({
					kind: 'save-picture',
					picture: {name: 'Out[3]', bytes: gradient()},
				});
			},
		},
	],
} satisfies Parts;
