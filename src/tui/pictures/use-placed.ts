import {useEffect, useState} from 'react';
import type {PictureMode} from '../../text/pixels/choose.ts';
import type {Size} from '../../text/pixels/size.ts';
import {useApp, useGetState} from '../core/store-context.ts';
import {inTextOf, rowsInText} from './in-text.ts';
import type {PictureView} from './pictures.ts';
import {placedPictures} from './placed.ts';

/** Maximum scale of a picture that fills the screen. */
const LARGEST = 4;

type PlacedRows = {
	/** Placeholder rows; null if the terminal does not draw the picture, or not yet. */
	readonly rows: readonly string[] | null;
	/**
	 * Reason why the terminal cannot draw the picture between the lines of text; null if none is
	 * known.
	 */
	readonly problem: string | null;
};

/** React hook: placeholder rows of a picture, which is placed while the component is mounted. */
export const usePlaced = (view: PictureView | null, look: PictureMode, {width, height}: Size): PlacedRows => {
	const get = useGetState();
	const size = view?.picture && 'size' in view.picture ? view.picture.size : null;
	const key = view?.bytes;
	const placed = useApp(state => state.placed);
	const [failed, setFailed] = useState<{readonly key: object; readonly why: string} | null>(null);
	useEffect(() => {
		if (key !== undefined && size !== null)
			placedPictures(get).placePicture({
				key,
				size,
				bytes: () => key,
				most: {width, height},
				largest: LARGEST,
				whenNot: why => setFailed({key, why}),
			});
	}, [get, key, size, look, width, height]);
	useEffect(() => () => void (key && placedPictures(get).dropPlaced(key)), [get, key]);
	const picture = view?.picture;
	if (key === undefined || !picture || 'problem' in picture) return {rows: null, problem: null};
	return {
		rows: rowsInText(inTextOf(look, placed), picture, {width, height}, {key, largest: LARGEST}),
		problem: failed?.key === key ? failed.why : null,
	};
};
