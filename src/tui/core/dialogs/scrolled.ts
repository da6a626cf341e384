import {scrollText, withScrollMark} from '../components/position.ts';
import {scrolling} from '../components/scroll.ts';
import type {KeyContext} from '../feature.ts';
import {actionsOf} from '../keys/action.ts';
import {reading} from '../keys/binding-sets.ts';
import type {Effects} from '../keys/shared-rows.ts';
import type {Dialog} from '../program.ts';
import {topDialog, route} from '../store/route.ts';
import {glyph} from '../theme/glyphs.ts';
import {paint} from '../theme/theme.ts';

/** Free cells at the right end of a text, so that no letter touches the scroll mark. */
export const BESIDE_MARK = 2;

/**
 * Visible rows of a dialog with `count` rows from row `top` on. `more`: text about the rows below.
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

type Kind = Scrolled['kind'];
type ScrolledOf<K extends Kind> = Extract<Scrolled, {readonly kind: K}>;
/** Returns the number of rows of a dialog, and the number that fit. */
type Measure<K extends Kind> = (
	dialog: ScrolledOf<K>,
	at: KeyContext,
) => {readonly count: number; readonly room: number};

/** Functions that scroll the topmost dialog. */
export const scrollingOf = <K extends Kind>(at: KeyContext, kind: K, measure: Measure<K>) => {
	const open = () => topDialog(at.get(), kind) as ScrolledOf<K> | undefined;
	const dialog = open();
	const {count, room} = dialog ? measure(dialog, at) : {count: 0, room: 1};
	const {height, last} = scrolled(0, count, room);
	return scrolling(
		() => open()?.top ?? 0,
		last,
		height - 1,
		top => dialog && route(at.get).changeDialog({...dialog, top: top ?? last}),
	);
};

/** Actions that scroll the topmost dialog. */
export const readerActions = <K extends Kind>(kind: K, measure: Measure<K>) =>
	actionsOf(reading, at => scrollingOf(at, kind, measure));

/** Effects of the keys in a dialog that is only read. */
export const readerKeys =
	<K extends Kind>(kind: K, measure: Measure<K>) =>
	(at: KeyContext): Effects<'reader'> => ({
		...scrollingOf(at, kind, measure),
		close: () => route(at.get).closeDialog(),
	});
