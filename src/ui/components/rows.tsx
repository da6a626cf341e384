import {Box, Text} from 'ink';
import {createContext, memo, useContext} from 'react';
import {glyph} from '../theme/glyphs.ts';
import {withoutColour} from '../theme/theme.ts';

/** False under NO_COLOR. */
export const ColourContext = createContext(true);

/** One line of the screen, already cut to its width: one Text per row is what Ink draws fastest. */
export const Row = memo(({text}: {readonly text: string}) => {
	const colour = useContext(ColourContext);
	return <Text wrap="truncate">{text === '' ? ' ' : colour ? text : withoutColour(text)}</Text>;
});

/** A box of `height` rows. Empty rows at its end cost nothing; what is too much is cut off. */
export const Rows = ({lines, height}: {readonly lines: readonly string[]; readonly height: number}) => (
	<Box flexDirection="column" height={height} flexShrink={0} overflow="hidden">
		{lines.slice(0, height).map((line, index) => <Row key={index} text={line}/>)}
	</Box>
);

/** A line between two panes. One Text for all its rows: a row each would be as many nodes as a pane. */
export const Divider = ({height}: {readonly height: number}) => <Text dimColor>{Array.from({length: height}, () => glyph.divider).join('\n')}</Text>;
