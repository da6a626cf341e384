import {useCursor} from 'ink';
import {useLayoutEffect} from 'react';

type Cell = {readonly x: number; readonly y: number};

let follow: (at: Cell | null) => void = () => {};

/** Sets the screen reader's listener for the cursor's cell: null when no field has a cursor. */
export const followCursor = (hear: typeof follow): void => {
	follow = hear;
};

/**
 * Puts the terminal's cursor at a cell of the screen, so that input methods show composed text in
 * the edited field. A component and not a hook: only the focused field mounts one, so that a pane
 * beside it never takes the cursor away.
 */
export const CursorAt = ({x, y}: {readonly x: number; readonly y: number}) => {
	useCursor().setCursorPosition({x, y});
	useLayoutEffect(() => {
		follow({x, y});
		return () => follow(null);
	}, [x, y]);
	return null;
};
