import {Box, Text, type DOMElement} from 'ink';
import {
	createContext,
	memo,
	useCallback,
	useContext,
	useLayoutEffect,
	useRef,
	useState,
	useSyncExternalStore,
} from 'react';
import {blankColumns} from '../../../text/width/blank-columns.ts';
import {boxOnScreen, coveredColumns, followBox, type BoxRect} from '../frame/box-rect.ts';
import {hasListOfRows, placeOf, type ListRange} from '../frame/drawn-rows.ts';
import {glyph} from '../theme/glyphs.ts';
import {forTerminal, currentAppearance, paint, dimmed, type Appearance} from '../theme/theme.ts';

/** Appearance of the screen below a dialog: dimmed, or unchanged if the dialog previews it. */
export const Backdrop = createContext<'quiet' | 'as ever' | null>(null);

/** Redraws unchanged rows when the appearance changes. */
export const AppearanceContext = createContext<Appearance>(currentAppearance());

/** A line of the screen, cut to its width. A single Text per row is what Ink draws fastest. */
export const Row = memo(({text}: {readonly text: string}) => {
	const isQuiet = useContext(Backdrop) === 'quiet';
	useContext(AppearanceContext);
	return <Text wrap="truncate">{text === '' ? ' ' : forTerminal(isQuiet ? dimmed(text) : text)}</Text>;
});

const nowhere = (): null => null;

/**
 * The part of row `y` beside a dialog box, from a column on, without words that the box would
 * cut.
 */
const beside = (
	line: string,
	{left, y}: {readonly left: number; readonly y: number},
	box: BoxRect,
): string => {
	if (y < box.top || y > box.top + box.height + 1) return line;
	const {from, to} = coveredColumns(box);
	return blankColumns(line, from - left, to - left);
};

/**
 * A box of `height` rows. Empty rows at its end cost nothing; extra rows are cut off. `from`:
 * number of the first line of a scrolling text, so that a row that only moves is not drawn again.
 * `list`: range of the rows that belong to a list, where a click selects a row.
 */
export const Rows = ({
	lines,
	height,
	from = 0,
	list,
}: {
	readonly lines: readonly string[];
	readonly height: number;
	readonly from?: number;
	readonly list?: ListRange;
}) => {
	const element = useRef<DOMElement | null>(null);
	const {from: listFrom, end: listEnd} = list ?? {};
	const drawn = useCallback(
		(node: DOMElement | null) => {
			element.current = node;
			if (listFrom !== undefined && listEnd !== undefined)
				hasListOfRows(node, {from: listFrom, end: listEnd});
		},
		[listFrom, listEnd],
	);
	const box = useSyncExternalStore(followBox, useContext(Backdrop) === null ? nowhere : boxOnScreen);
	const [place, setPlace] = useState<ReturnType<typeof placeOf> | null>(null);
	// A layout effect: the position of the box is known once Ink has laid it out.
	useLayoutEffect(() => {
		if (box === null || element.current === null) return;
		const now = placeOf(element.current);
		if (now.left !== place?.left || now.top !== place.top) setPlace(now);
	});
	return (
		<Box ref={drawn} flexDirection="column" height={height} flexShrink={0} overflow="hidden">
			{lines.slice(0, height).map((line, index) => (
				<Row
					key={from + index}
					text={
						box === null || place === null
							? line
							: beside(line, {left: place.left, y: place.top + index}, box)
					}
				/>
			))}
		</Box>
	);
};

/**
 * A line between two panes. One Text for all its rows, because separate rows would be as many nodes
 * as a pane has.
 */
export const Divider = ({
	height,
	isTop = false,
	joints = [],
}: {
	readonly height: number;
	/** True if it hangs from the rule under the header. */
	readonly isTop?: boolean;
	/** Rows with a rule at its right. */
	readonly joints?: readonly number[];
}) => {
	const glyphAt = (row: number): string =>
		row === 0 && isTop ? glyph.hangs : joints.includes(row) ? glyph.branches : glyph.divider;
	return (
		<Text>
			{Array.from({length: height}, (_, row) => forTerminal(paint('dim', glyphAt(row)))).join('\n')}
		</Text>
	);
};
