import {Box, Text} from 'ink';
import {createContext, memo, useContext} from 'react';
import {withoutColour} from '../theme/theme.ts';

/** False under NO_COLOR. */
export const ColourContext = createContext(true);

/** One line of the screen, already cut to its width: one Text per row is what Ink draws fastest. */
export const Row = memo(({text}: {readonly text: string}) => {
	const colour = useContext(ColourContext);
	return <Text wrap="truncate">{text === '' ? ' ' : colour ? text : withoutColour(text)}</Text>;
});

/** `height` lines, the missing ones empty, what is too much cut off. */
export const Rows = ({lines, height}: {readonly lines: readonly string[]; readonly height: number}) => (
	<Box flexDirection="column" height={height} flexShrink={0} overflow="hidden">
		{Array.from({length: height}, (_, index) => <Row key={index} text={lines[index] ?? ''}/>)}
	</Box>
);
