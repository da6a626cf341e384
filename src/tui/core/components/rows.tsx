import {Box, Text, type DOMElement} from 'ink';
import {createContext, memo, useCallback, useContext} from 'react';
import {hasListOfRows, type ListRange} from '../frame/drawn-rows.ts';
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
	const {from: listFrom, end: listEnd} = list ?? {};
	const drawn = useCallback(
		(node: DOMElement | null) => {
			if (listFrom !== undefined && listEnd !== undefined)
				hasListOfRows(node, {from: listFrom, end: listEnd});
		},
		[listFrom, listEnd],
	);
	return (
		<Box ref={drawn} flexDirection="column" height={height} flexShrink={0} overflow="hidden">
			{lines.slice(0, height).map((line, index) => (
				<Row key={from + index} text={line} />
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
			{Array.from({length: height}, (_, row) => forTerminal(paint('rule', glyphAt(row)))).join('\n')}
		</Text>
	);
};
