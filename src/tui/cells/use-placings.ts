import {useEffect} from 'react';
import type {CellOutput} from '../../contract/cells.ts';
import {useGetState} from '../core/store-context.ts';
import {type Placing, placedPictures} from '../pictures/placed.ts';
import type {Picture} from '../pictures/read-picture.ts';
import {pictureIn} from './pictures.ts';

/** The pictures among a visible cell's outputs. `most`: size limit of each, in cells. */
export const outputPlacings = (
	outputs: readonly CellOutput[],
	pictureOf: (output: CellOutput, index: number) => Picture | undefined,
	most: {readonly width: number; readonly height: number},
): readonly Placing[] =>
	outputs.flatMap((output, index) => {
		const picture = pictureOf(output, index);
		if (picture === undefined || 'problem' in picture) return [];
		const bytes = (): Uint8Array => pictureIn(output) ?? Buffer.alloc(0);
		return [{key: picture, size: picture.size, bytes, most}];
	});

/** Keeps the visible pictures of a pane stored in the terminal while the pane is mounted. */
export const usePlacings = (pane: 'repl' | 'files', placings: () => readonly Placing[]): void => {
	const get = useGetState();
	useEffect(() => placedPictures(get).placeInView(pane, placings()));
	useEffect(() => () => placedPictures(get).placeInView(pane, []), [get, pane]);
};
