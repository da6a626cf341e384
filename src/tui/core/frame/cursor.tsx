import {useCursor} from 'ink';

/**
 * Puts the terminal's cursor at a cell of the screen, so that input methods compose where the text goes.
 * A component and not a hook: only the field that has the keys mounts one, so that a pane beside it never takes the cursor away.
 */
export const CursorAt = ({x, y}: {readonly x: number; readonly y: number}) => {
	useCursor().setCursorPosition({x, y});
	return null;
};
