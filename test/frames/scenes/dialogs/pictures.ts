import {PNG} from 'pngjs';
import type {Store} from '../../../../src/tui/core/program.ts';
import {until} from '../support.ts';
import type {Parts} from './part.ts';

/** A diagonal from dark to light. */
const gradient = (): string => {
	const png = new PNG({width: 96, height: 48});
	for (let at = 0; at < 96 * 48; at++)
		png.data.set([(at % 96) * 2, Math.floor(at / 96) * 5, 120, 255], at * 4);
	return PNG.sync.write(png).toString('base64');
};

const open =
	(base64: string) =>
	async (store: Store): Promise<void> => {
		store.setState({pictureLook: {how: 'blocks', why: 'GNU screen passes no pictures through'}});
		store.getState().openPicture('plots/loss.png', base64);
		await until(store, ({pictureView}) => pictureView?.picture !== null);
	};

export const pictureDialogs = {
	picture: [
		{
			state: 'loading',
			on: 'files',
			arrive(store) {
				store.getState().openPicture('plots/loss.png', gradient());
			},
		},
		{state: 'failed', on: 'files', arrive: open(Buffer.from('GIF89a').toString('base64'))},
		{state: 'full', on: 'repl', arrive: open(gradient())},
	],
} satisfies Parts;
