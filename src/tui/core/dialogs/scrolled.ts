import {scrollText, withScrollMark} from '../components/position.ts';
import {scrolling} from '../components/scroll.ts';
import type {Dialog, State} from '../program.ts';
import {topDialog, route} from '../store/route.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';

/** Cells that a text leaves free at its right end, so that no letter touches the mark of how far it is scrolled. */
export const BESIDE_MARK = 2;

/** Which of `count` rows a dialog shows from row `top` on; `more` says what is below. */
export const scrolled = (top: number, count: number, room: number) => {
	const height = Math.max(1, Math.min(count, room));
	const last = Math.max(0, count - height);
	const from = Math.min(top, last);
	return {
		from,
		height,
		last,
		/** The rows in view of those there are, with their mark at the right end of `width` cells. */
		rowsOf: (rows: readonly string[], width: number): readonly string[] =>
			withScrollMark(rows.slice(from, from + height), {from, height, count, width}),
		position: scrollText(from, height, count),
		more:
			last > from
				? paint('busy', `${glyph.down} ${last - from} more line${last - from === 1 ? '' : 's'}`)
				: '',
	};
};

/** A dialog whose rows scroll; `top` is the first that is shown. */
type Scrolled = Extract<Dialog, {readonly top?: number}>;

/** The keys that scroll the topmost dialog and close it. `measure` tells how many rows it has, and for how many there is room. */
export const readerKeys = <Kind extends Scrolled['kind']>(
	get: () => State,
	kind: Kind,
	measure: (dialog: Extract<Scrolled, {readonly kind: Kind}>) => {
		readonly count: number;
		readonly room: number;
	},
) => {
	const open = () => topDialog(get(), kind) as Extract<Scrolled, {readonly kind: Kind}> | undefined;
	const dialog = open();
	const {count, room} = dialog ? measure(dialog) : {count: 0, room: 1};
	const {height, last} = scrolled(0, count, room);
	return {
		...scrolling(
			() => open()?.top ?? 0,
			last,
			height - 1,
			top => dialog && route(get).changeDialog({...dialog, top: top ?? last}),
		),
		close: () => route(get).closeDialog(),
	};
};
