import {useLayoutEffect, useState} from 'react';
import type {PictureMode} from '../../text/pixels/choose.ts';
import {fitIn} from '../../text/pixels/fit.ts';
import {inlineImage, kittyOverlay} from '../../text/pixels/overlay.ts';
import type {Rect} from '../core/program.ts';
import {useGetState} from '../core/store-context.ts';
import {encodePicture} from './read-picture.ts';
import type {PictureView} from './pictures.ts';
import {control} from '../core/store/session.ts';

const OVERLAYS = {kitty: kittyOverlay, iterm2: inlineImage, sixel: (sixels: string) => sixels} as const;

/**
 * React hook that draws pixels over empty rows of the screen while mounted. Returns a problem, or
 * null.
 */
export const useOverlay = (
	view: PictureView | null,
	look: PictureMode,
	{x, y, width, height}: Rect,
): string | null => {
	const get = useGetState();
	const [problem, setProblem] = useState<string | null>(null);
	const size = view?.picture && 'size' in view.picture ? view.picture.size : null;
	const bytes = view?.bytes;
	// Pixels must be removed before Ink draws the next frame, because Ink assumes that these rows
	// are empty.
	useLayoutEffect(() => {
		if (bytes === undefined || size === null || look.how === 'blocks' || look.isInText) return;
		let isWanted = true;
		const [wide = 1, high = 1] = size.split('x').map(Number);
		const {how, cell, colours} = look;
		const {cells, pixels} = fitIn({width: wide, height: high}, cell, {width, height});
		void encodePicture(bytes, {as: how === 'sixel' ? 'sixel' : 'png', size: pixels, colours}).then(made => {
			if (!isWanted) return;
			setProblem('problem' in made ? made.problem : null);
			if ('encoded' in made)
				control(get).showOverlay({x, y, height, drawn: OVERLAYS[how](made.encoded, cells)});
		});
		return () => {
			isWanted = false;
			control(get).showOverlay(null);
		};
	}, [get, bytes, size, look, x, y, width, height]);
	return problem;
};
