import type {ScreenSpec} from '../core/feature.ts';
import {replOf} from './transcript.ts';
import {scrollCells, topOf} from './cell-position.ts';
import {placeOf} from './layout.ts';
import {route} from '../core/store/route.ts';

/** The cells of an offline server. */
export const offlineCells: NonNullable<ScreenSpec['kept']> = (get, server, rect) => {
	const repl = replOf(get(), server);
	const {length} = repl.cells;
	if (length === 0) return null;
	const place = placeOf(get, server, rect, rect.height);
	const blocks = place.blocksOf(repl);
	return {
		words: `${length} cell${length === 1 ? '' : 's'}`,
		blocks,
		top: topOf(repl, blocks),
		moves: scrollCells(place),
		save: () => route(get).openDialog({kind: 'export', server}),
	};
};
