import type {PictureStyle} from '../../text/output/picture.ts';
import type {Rect, State} from '../core/program.ts';
import {lastResult} from '../core/store/last-result.ts';
import {inTextOf, type InText} from '../pictures/in-text.ts';
import {layoutOf} from '../files/layout.ts';

/** Size and options for laying out a notebook. */
export type LayoutArea = {
	readonly width: number;
	/** 1 if a divider follows, in which the scroll mark is drawn. */
	readonly edge?: 0 | 1 | undefined;
	readonly height: number;
	readonly pictureStyle: PictureStyle;
	readonly inText?: InText | null;
};

const roomOf = lastResult(
	(
		width: number,
		edge: 0 | 1 | undefined,
		height: number,
		pictureStyle: PictureStyle,
		inText: InText | null,
	): LayoutArea => ({width, edge, height, pictureStyle, inText}),
);

/** Size and options for a server's notebook. Returns the same object until a value changes. */
export const roomIn = (state: State, server: string, rect: Rect): LayoutArea => {
	const {viewer, viewerRows} = layoutOf(state, server, rect);
	return roomOf(
		viewer.width,
		viewer.edge,
		viewerRows,
		state.pictureStyle,
		inTextOf(state.pictureLook, state.placed),
	);
};
