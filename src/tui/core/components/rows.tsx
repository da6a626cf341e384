import {Box, Text} from 'ink';
import {createContext, memo, useContext} from 'react';
import {isListOfRows} from '../frame/drawn-rows.ts';
import {glyph} from '../theme/glyphs.ts';
import {forTerminal, lookNow, paint, quiet, type Look} from '../theme/theme.ts';

/** Whether a dialog lies above what is drawn. */
export const Below = createContext(false);

/** Below it a row that stays the same is drawn anew when the look changes. */
export const LookShown = createContext<Look>(lookNow());

/** One line of the screen, already cut to its width: one Text per row is what Ink draws fastest. */
export const Row = memo(({text}: {readonly text: string}) => {
	const isBelow = useContext(Below);
	useContext(LookShown);
	return <Text wrap="truncate">{text === '' ? ' ' : forTerminal(isBelow ? quiet(text) : text)}</Text>;
});

/**
 * A box of `height` rows. Empty rows at its end cost nothing; what is too much is cut off. `from`: number of the first line of a text that
 * scrolls, so that a row that only moves is not drawn anew. `isList`: they are the rows of a list, and a click on one goes there.
 */
export const Rows = ({
	lines,
	height,
	from = 0,
	isList = false,
}: {
	readonly lines: readonly string[];
	readonly height: number;
	readonly from?: number;
	readonly isList?: boolean;
}) => (
	<Box
		ref={isList ? isListOfRows : null}
		flexDirection="column"
		height={height}
		flexShrink={0}
		overflow="hidden"
	>
		{lines.slice(0, height).map((line, index) => (
			<Row key={from + index} text={line} />
		))}
	</Box>
);

/** A line between two panes. One Text for all its rows: a row each would be as many nodes as a pane. */
export const Divider = ({height}: {readonly height: number}) => (
	<Text>{Array.from({length: height}, () => forTerminal(paint('dim', glyph.divider))).join('\n')}</Text>
);
