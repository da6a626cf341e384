import type {PictureMode} from '../../text/pixels/choose.ts';
import {fitIn, type Fitted} from '../../text/pixels/fit.ts';
import {MOST_PLACED, placeholderRows} from '../../text/pixels/placeholders.ts';
import type {Size} from '../../text/pixels/size.ts';
import {lastResult} from '../core/store/last-result.ts';
import type {Picture} from './read-picture.ts';

/** Number of a picture that the terminal has stored, and its size on the screen in cells. */
export type Placed = {readonly id: number; readonly cells: Size};
/** Pictures that the terminal draws between the lines of text, by their key. */
export type InText = {readonly look: PictureMode; readonly placed: ReadonlyMap<object, Placed>};

export const mayBeInText = (look: PictureMode): boolean => look.how !== 'blocks' && look.isInText;

/** Cached: the same object until an argument changes. Null if there are no such pictures. */
export const inTextOf = lastResult((look: PictureMode, placed: InText['placed']): InText | null =>
	mayBeInText(look) && placed.size > 0 ? {look, placed} : null,
);

export const areSameCells = (one: Size, other: Size): boolean =>
	one.width === other.width && one.height === other.height;

/**
 * Size of a picture between the lines of text, in cells and in pixels. Null if the terminal cannot
 * draw it there. `size`: the picture's own size, such as `640x480`.
 */
export const fittedInText = (
	look: PictureMode,
	size: string,
	{width, height}: Size,
	largest = 1,
): Fitted | null => {
	if (look.how === 'blocks' || !look.isInText) return null;
	const [wide = 1, high = 1] = size.split('x').map(Number);
	const most = {
		width: Math.max(1, Math.min(width, MOST_PLACED.width)),
		height: Math.max(1, Math.min(height, MOST_PLACED.height)),
	};
	return fitIn({width: wide, height: high}, look.cell, most, largest);
};

/**
 * Rows of placeholder characters, over which the terminal draws the picture. Null if the terminal
 * has not stored the picture in this size.
 */
export const rowsInText = (
	inText: InText | null | undefined,
	{size}: Exclude<Picture, {readonly problem: string}>,
	most: Size,
	{key, largest}: {readonly key: object; readonly largest: number},
): readonly string[] | null => {
	const placed = inText?.placed.get(key);
	const fitted = inText && fittedInText(inText.look, size, most, largest);
	return placed && fitted && areSameCells(fitted.cells, placed.cells)
		? placeholderRows(placed.id, placed.cells)
		: null;
};
