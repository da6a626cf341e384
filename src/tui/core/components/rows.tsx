import {Box, Text, type DOMElement} from 'ink';
import {createContext, memo, useCallback, useContext} from 'react';
import {hasListOfRows, type ListRange} from '../frame/drawn-rows.ts';
import {glyph} from '../theme/glyphs.ts';
import {forTerminal, currentAppearance, paint, dimmed, type Appearance} from '../theme/theme.ts';

/** Appearance of the screen below a dialog: dimmed, or unchanged if the dialog previews it. */
export const Backdrop = createContext<'quiet' | 'as ever' | null>(null);

/** Context that redraws unchanged rows when the appearance changes. */
export const AppearanceContext = createContext<Appearance>(currentAppearance());

/** A line of the screen, cut to its width. A single Text per row is what Ink draws fastest. */
export const Row = memo(({text}: {readonly text: string}) => {
	const isQuiet = useContext(Backdrop) === 'quiet';
	useContext(AppearanceContext);
	return <Text wrap="truncate">{text === '' ? ' ' : forTerminal(isQuiet ? dimmed(text) : text)}</Text>;
});

/**
 * Box of `height` rows. Extra lines are cut off, and empty rows at the end are not drawn. `from`:
 * number of the first line of a scrolling text, so that a row that only moves is not drawn again.
 * `list`: range of the rows of a list, in which a click selects a row.
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
 * Line between two panes. It is a single Text, because a Text per row would add as many nodes as a
 * pane has.
 */
export const Divider = ({
	height,
	isTop = false,
	joints = [],
}: {
	readonly height: number;
	/** True if the divider starts at the rule under the header. */
	readonly isTop?: boolean;
	/** Rows in which a rule meets the divider from the right. */
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
