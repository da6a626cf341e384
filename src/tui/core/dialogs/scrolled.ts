import {scrollText, withScrollMark} from '../components/position.ts';
import {scrolling} from '../components/scroll.ts';
import type {Dialog, State} from '../program.ts';
import {topDialog, route} from '../store/route.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';

/** Cells free at the right end of a text, so that no letter touches the scroll mark. */
export const BESIDE_MARK = 2;

/**
 * Visible rows of a dialog with `count` rows from row `top` on; `more` is the text about the rest.
 */
export const scrolled = (top: number, count: number, room: number) => {
	const height = Math.max(1, Math.min(count, room));
	const last = Math.max(0, count - height);
	const from = Math.min(top, last);
	return {
		from,
		height,
		last,
		/** The visible rows, with the scroll mark at the right end of `width` cells. */
		rowsOf: (rows: readonly string[], width: number): readonly string[] =>
			withScrollMark(rows.slice(from, from + height), {from, height, count, width}),
		position: scrollText(from, height, count),
		more:
			last > from
				? paint('busy', `${glyph.down} ${last - from} more line${last - from === 1 ? '' : 's'}`)
				: '',
	};
};

/** A dialog whose rows scroll; `top` is the first visible one. */
type Scrolled = Extract<Dialog, {readonly top?: number}>;

/**
 * Handlers that scroll the topmost dialog and close it. `measure` returns its number of rows, and
 * how many fit.
 */
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
